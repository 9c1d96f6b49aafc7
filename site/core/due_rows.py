"""Loops over due rows: they work until their time is up, and continue past rows that fail.

See docs/guarantees/operation.md#tasks.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet

from core.batches import short_batches
from core.data_mark import OtherFilesError
from core.database_errors import refusal_of

log = logging.getLogger(__name__)

# So that the job of one minute ends before the next begins, even if its last row is slow.
MAX_SECONDS = 45
MAX_SECONDS_AT_NIGHT = 600
# Keys that are read at a time.
BATCH = 500
# A row that failed by its own fault waits this long; each failure makes the next wait twice as long.
MIN_WAIT_SECONDS, MAX_WAIT_SECONDS = 60, 3600

monotonic = time.monotonic


class _Failure(NamedTuple):
    """The wait of a failed row in seconds, and its end on the monotonic clock."""

    wait: float
    until: float


# Job name → key → failure, for rows that failed in this process; each process has its own.
_failures: defaultdict[str, dict[Any, _Failure]] = defaultdict(dict)


def process_due_rows(
    name: str,
    due: QuerySet[Any],
    work: Callable[[Any], object],
    *,
    seconds: float = MAX_SECONDS,
) -> int:
    """Call `work` with the key of each due row; return how many calls succeeded.

    A call that returns False does not count. Ends after `seconds`, or when each due row was processed once. A
    failed row is logged and retried later, after the rows that have not failed, so that bad rows do not block
    good ones. If the database was busy or unreachable, the row is retried in the next run. If the data folder
    is not that of the database any more, the run ends. `name`: of the job, for logs. `due`: in the order of
    processing. Call it outside any transaction.
    """
    return _process(name, due, lambda keys: work(keys[0]) is not False, _each, seconds)


def process_due_batches(
    name: str,
    due: QuerySet[Any],
    work: Callable[[list[Any]], int],
    *,
    seconds: float = MAX_SECONDS,
) -> int:
    """Like `process_due_rows`, but call `work` with the keys of a short batch; return the sum of its results.

    A batch that fails is repeated row by row, so `work` must have changed nothing if it raises.
    """
    return _process(name, due, work, short_batches, seconds)


def _process(
    name: str,
    due: QuerySet[Any],
    work: Callable[[list[Any]], int],
    in_batches: Callable[[Iterable[Any]], Iterator[list[Any]]],
    seconds: float,
) -> int:
    deadline = monotonic() + seconds
    failures = _failures[name]
    # Rows that failed, in this run or before, are processed alone.
    alone = _to_retry(due, failures)
    done = failed = 0
    for batch in chain(in_batches(_fresh(due, failures)), _one_by_one(alone)):
        if monotonic() >= deadline:
            log.warning("%s: out of time, the next run goes on", name)
            break
        try:
            done += work(batch)
            for key in batch:
                failures.pop(key, None)
        except Exception as error:
            if _is_about_files(error):
                break
            if len(batch) > 1:
                alone[:0] = batch
                continue
            [key] = batch
            failed += 1
            _log_failure(name, key)
            last = failures[key].wait if key in failures else 0
            # A temporary error, such as an unreachable database, does not count against the row.
            wait = 0 if refusal_of(error) else min(max(2 * last, MIN_WAIT_SECONDS), MAX_WAIT_SECONDS)
            failures[key] = _Failure(wait, monotonic() + wait)
    _report(name, done, failed)
    return done


def _to_retry(due: QuerySet[Any], failures: dict[Any, _Failure]) -> list[Any]:
    """Return the failed rows whose wait is over, and forget those that are not due any more."""
    still_due = list(due.filter(pk__in=list(failures)).values_list("pk", flat=True)) if failures else []
    for key in failures.keys() - set(still_due):
        failures.pop(key, None)
    return [key for key in still_due if failures[key].until <= monotonic()]


def _fresh(due: QuerySet[Any], failures: dict[Any, _Failure]) -> Iterator[Any]:
    """Yield the keys of the due rows that have not failed, each once, a batch per query."""
    seen, size = set[Any](), BATCH
    while True:
        keys = list(due.values_list("pk", flat=True)[:size])
        fresh = [key for key in keys if key not in seen and key not in failures]
        seen.update(fresh)
        yield from fresh
        if len(keys) < size:
            return
        if not fresh:
            # Rows that stay due after their work hide the others.
            size *= 2


def _each(keys: Iterable[Any]) -> Iterator[list[Any]]:
    return ([key] for key in keys)


def _one_by_one(keys: list[Any]) -> Iterator[list[Any]]:
    """Yield batches of one key, including keys that are added to the list in the meantime."""
    while keys:
        yield [keys.pop(0)]


def process_in_batches(
    name: str,
    rows: QuerySet[Any],
    work: Callable[[list[Any]], int],
    *,
    seconds: float = MAX_SECONDS_AT_NIGHT,
    size: int | None = None,
) -> int:
    """Call `work` with the keys of several rows at a time, in key order; return the sum of its results.

    `size`: keys per call, by default BATCH. Ends after `seconds`. A batch that fails is repeated row by row;
    rows that fail again are logged and skipped. `work` must be safe to repeat. Call it outside any
    transaction.
    """
    deadline = monotonic() + seconds
    done = failed = 0
    rest, parts = rows.order_by("pk"), list[list[Any]]()
    while True:
        if monotonic() >= deadline:
            log.warning("%s: out of time, the next run goes on", name)
            break
        if not parts:
            keys = list(rest.values_list("pk", flat=True)[: size or BATCH])
            if not keys:
                break
            rest = rows.order_by("pk").filter(pk__gt=keys[-1])
            parts = [keys]
        part = parts.pop()
        try:
            done += work(part)
        except Exception as error:
            if _is_about_files(error):
                break
            if len(part) > 1:
                parts = [[key] for key in part]
                continue
            failed += 1
            _log_failure(name, part[0])
    _report(name, done, failed)
    return done


def delete_in_batches(rows: QuerySet[Any], *, seconds: float = MAX_SECONDS_AT_NIGHT) -> int:
    """Delete rows as `process_in_batches` does; return how many, including rows deleted by cascade."""
    name = f"delete {rows.model._meta.db_table}"
    return process_in_batches(name, rows, lambda keys: rows.filter(pk__in=keys).delete()[0], seconds=seconds)


def _is_about_files(error: Exception) -> bool:
    """Return True if the data folder is another one, so all rows would fail; that is logged already."""
    return isinstance(error.__cause__ or error, OtherFilesError)


def _log_failure(name: str, key: object) -> None:
    log.exception("%s: row %s failed", name, key)
    # Otherwise a lost connection would make all remaining rows fail.
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def _report(name: str, done: int, failed: int) -> None:
    if failed:
        log.error("%s: %d rows failed, %d done", name, failed, done)
