"""The differences that an audit of the books finds, and the snapshot it reads (docs/guarantees/README.md)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from functools import cache
from threading import Event, Thread
from typing import Any

from django.db import Error, connection, transaction
from django.db.models import Choices, DecimalField, Model, QuerySet
from django.db.models.functions import Round
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, override
from django.utils.translation import gettext_noop as _

from core.languages import ENGLISH

INTERRUPTS_EACH = 0.1
Rule = Callable[[], Iterator["Difference"]]
# The rows of each rule that declares them.
_ROWS: dict[Rule, list[QuerySet[Any]]] = {}
# In a snapshot, the rules without rows once they are known.
_KNOWN: ContextVar[list[set[Rule]] | None] = ContextVar("known", default=None)


class Difference:
    """One contradiction: the broken rule, the row that breaks it, and the values found there.

    `sentence`: marked for translation by `gettext_noop`, with a placeholder for each of `values`. Values are
    numbers, texts that are the same in every language, labels (`label_of`), times, and None for no value.
    """

    def __init__(self, rule: str, row: str, sentence: str, /, **values: Any) -> None:
        self.rule, self.row, self.sentence = rule, row, sentence
        self.values = {name: _as_json(value) for name, value in values.items()}

    def __str__(self) -> str:
        return f"{self.row}: {self.found}"

    @property
    def found(self) -> str:
        """The contradiction in words, in English."""
        with override(ENGLISH):
            return in_words(self.sentence, self.values)

    def as_json(self) -> dict[str, str]:
        """Return the difference for a report that programs read."""
        return {"rule": self.rule, "row": self.row, "found": self.found}

    def as_stored(self) -> dict[str, Any]:
        """Return the difference in a form to store, which `in_words` translates into any language."""
        return {**self.as_json(), "sentence": self.sentence, "values": self.values}


def in_words(sentence: str, values: Mapping[str, Any]) -> str:
    """Return a sentence of an audit with its stored values in the reader's language."""
    return gettext(sentence) % {name: _as_text(value) for name, value in values.items()}


def label_of(choices: type[Choices], value: Any) -> Any:
    """Return the label of a choice as staff see it; for an unknown choice the value itself."""
    return dict(choices.choices).get(value, value)


def _as_json(value: Any) -> Any:
    if isinstance(value, Promise):
        with override(ENGLISH):
            return {"text": str(value)}
    if isinstance(value, datetime):
        return {"time": value.isoformat()}
    return value if value is None or isinstance(value, int) else str(value)


def _as_text(value: Any) -> Any:
    match value:
        case {"text": text}:
            return gettext(text)
        case {"time": time}:
            return date_format(timezone.localtime(datetime.fromisoformat(time)), "SHORT_DATETIME_FORMAT")
    return "–" if value is None else value


def cents(amount: Any) -> Round:
    """Return a sum rounded to whole cents by the database, because SQLite adds binary fractions."""
    return Round(amount, precision=2, output_field=DecimalField(max_digits=20, decimal_places=2))


def about(*rows: type[Model] | QuerySet[Any]) -> Callable[[Rule], Rule]:
    """Name the rows, by constant conditions, without which a rule finds nothing: `run_rules` then skips it.

    Each difference must depend on at least one of them, also if other data is wrong.
    """

    def declare(rule: Rule) -> Rule:
        _ROWS[rule] = [each if isinstance(each, QuerySet) else each._base_manager.all() for each in rows]
        return rule

    return declare


def _without_rows(rules: Iterable[Rule]) -> set[Rule]:
    """Return the rules that have no rows; at most one query, in a snapshot for all rules together."""
    known = _KNOWN.get()
    if known:
        return known[0]
    asked = [rule for rule in (rules if known is None else _ROWS) if rule in _ROWS]
    if not asked:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(*_question(connection.vendor, *asked))
        skipped = {rule for rule, has_rows in zip(asked, cursor.fetchone(), strict=True) if not has_rows}
    if known is not None:
        known.append(skipped)
    return skipped


@cache
def _question(_vendor: str, *rules: Rule) -> tuple[str, list[Any]]:
    """Return the statement that asks whether each rule has rows, and its parameters."""
    columns, values = [], []
    for rule in rules:
        asked = [rows.query.exists().get_compiler(connection=connection).as_sql() for rows in _ROWS[rule]]
        columns.append(" OR ".join(f"EXISTS ({sql})" for sql, _values in asked))
        values += [value for _sql, of_rows in asked for value in of_rows]
    return f"SELECT {', '.join(columns)}", values


def run_rules(*rules: Rule) -> Iterator[Difference]:
    """Yield the differences of each rule, except rules without rows (`about`).

    A rule that raises is reported itself, and the others continue.
    """
    skipped = _without_rows(rules)
    for rule in [each for each in rules if each not in skipped]:
        try:
            yield from rule()
        except Error:
            # A database error has ended the transaction, so the other rules could not read.
            raise
        except Exception as error:
            name = rule.__name__.removeprefix("_")
            row = f"{rule.__module__}, {name}"
            yield Difference("unreadable", row, _("stopped at %(error)s"), error=repr(error))


@contextmanager
def snapshot() -> Iterator[None]:
    """Run all queries of the block on one state of the database, without blocking writers.

    Within another transaction, that transaction's view applies. Which rules have no rows is asked once.
    """
    with ExitStack() as stack:
        stack.callback(_KNOWN.reset, _KNOWN.set([]))
        if connection.in_atomic_block:
            yield
            return
        stack.enter_context(_reading())
        stack.enter_context(transaction.atomic())
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                # A large shop's books take longer than the limits of requests and tasks.
                cursor.execute("SET LOCAL statement_timeout = 0")
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                # A rule reads all rows of its cursor; by default the planner optimises for the first tenth.
                cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
                cursor.execute("SET LOCAL work_mem = '64MB'")
            stack.enter_context(connection.connection.waiting_at_most(0))
        yield


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Interrupt this thread's statements repeatedly once the block has run for `seconds`.

    The current statement then raises OperationalError, on both databases.
    """
    connection.ensure_connection()
    ours, is_over = connection.connection, Event()
    interrupt = ours.interrupt if connection.vendor == "sqlite" else ours.cancel

    def watch() -> None:
        if not is_over.wait(seconds):
            # An interrupt between two statements has no effect, so it is repeated.
            while not is_over.wait(INTERRUPTS_EACH):
                with suppress(Exception):
                    interrupt()

    watcher = Thread(target=watch, name="ended_after", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        # Wait for the thread, so that it does not interrupt later statements.
        watcher.join()


@contextmanager
def _reading() -> Iterator[None]:
    """Run SQLite's next transaction without the write lock, which the shop's other transactions take."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    mode = connection.transaction_mode  # type: ignore[attr-defined]  # unknown to django-stubs
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.transaction_mode = mode  # type: ignore[attr-defined]
