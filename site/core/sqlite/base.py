"""Django's backend for SQLite, with turns for those who write (docs/guarantees/operation.md#waiting)."""

# What a backend overrides is unknown to django-stubs.
# mypy: disable-error-code="attr-defined, misc"

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from sqlite3 import Connection
from typing import Any

from django.db.backends.sqlite3 import base

from core.sqlite.turns import turn_to_write

# How a statement begins that writes without a transaction around it.
_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "ANALYZE")


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, but who begins a transaction, or writes without one, waits until nobody else writes."""

    # From the start of a transaction to its end.
    _turn: ExitStack | None = None
    # How long this connection waits within `waiting_at_most`.
    _limit: float | None = None

    @property
    def lock_seconds(self) -> float:
        """Tell how long this connection waits for others to have written."""
        seconds: float = self.settings_dict["OPTIONS"]["timeout"]
        return seconds if self._limit is None else self._limit

    @contextmanager
    def waiting_at_most(self, seconds: float) -> Iterator[None]:
        """Wait so long for others to have written, within the block."""
        self.ensure_connection()
        opened, outer = self.connection, self._limit
        self._limit = seconds
        self._set_busy_timeout()
        try:
            yield
        finally:
            self._limit = outer
            if self.connection is opened:
                self._set_busy_timeout()

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor whose writes outside a transaction wait for their turn."""
        return self.connection.cursor(factory=lambda connection: _Cursor(connection, self))

    def turn_for(self, query: str) -> AbstractContextManager[None]:
        """Give the turn of one statement: none within a transaction, which has its own, and to read."""
        if not self.autocommit or not query.lstrip().startswith(_WRITES):
            return nullcontext()
        return self._writing_alone()

    @contextmanager
    def _writing_alone(self) -> Iterator[None]:
        """Take a turn for a block, which waits for those who write without one for as long as is left."""
        with self._take_turn() as left, self.waiting_at_most(left):
            yield

    def _take_turn(self) -> AbstractContextManager[float]:
        file = None if self.is_in_memory_db() else str(self.settings_dict["NAME"])
        return turn_to_write(file, self.lock_seconds)

    def _set_busy_timeout(self) -> None:
        self.connection.execute(f"PRAGMA busy_timeout = {self.lock_seconds * 1000:.0f}")

    def _start_transaction_under_autocommit(self) -> None:
        # Others only read: the snapshot of an audit.
        if self.transaction_mode != "IMMEDIATE":
            super()._start_transaction_under_autocommit()
            return
        with ExitStack() as turn:
            left = turn.enter_context(self._take_turn())
            with self.waiting_at_most(left):
                super()._start_transaction_under_autocommit()
            self._turn = turn.pop_all()

    def _end_turn(self) -> None:
        turn, self._turn = self._turn, None
        if turn:
            turn.close()

    def _commit(self) -> None:
        # One that fails is rolled back, or its connection is closed.
        super()._commit()
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()
        finally:
            self._end_turn()


class _Cursor(base.SQLiteCursorWrapper):
    """A cursor that waits for a turn before it writes outside a transaction."""

    def __init__(self, connection: Connection, database: DatabaseWrapper) -> None:
        super().__init__(connection)
        self._database = database

    def execute(self, query: str, params: Any = None) -> Any:
        with self._database.turn_for(query):
            return super().execute(query, params)

    def executemany(self, query: str, param_list: Any) -> Any:
        with self._database.turn_for(query):
            return super().executemany(query, param_list)
