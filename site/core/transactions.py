"""Transactions that run again after a deadlock or a lost connection (docs/guarantees/README.md)."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import NotSupportedError, OperationalError, connection, transaction

from core.database_errors import RETRYABLE, STALE_PLAN, has_lost_connection, sqlstate

P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger(__name__)

# Seconds before the retry, so that the other transaction can finish.
RETRY_DELAY = 0.05


def in_transaction(work: Callable[P, R]) -> Callable[P, R]:
    """Run a service in one transaction, and once more after a temporary error; it must be safe to repeat.

    Retried errors: a deadlock, a connection lost before the commit was sent (nothing can be stored then), and
    a migration that changed the type of a column. Within another transaction nothing is retried, because the
    database has rolled back all of it. A lock timeout is not retried: the caller has waited long enough.
    """
    return _transaction_around(work, durable=False)


def in_durable_transaction(work: Callable[P, R]) -> Callable[P, R]:
    """Like `in_transaction`, but never within another: its writes persist if the caller fails later."""
    return _transaction_around(work, durable=True)


def in_callers_transaction(work: Callable[P, R]) -> Callable[P, R]:
    """Run a step of another service in the caller's transaction; without one, in its own.

    There is no savepoint: an error ends the whole transaction. A caller that catches the error and continues
    must wrap the step in `transaction.atomic`.
    """

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with transaction.atomic(savepoint=is_outermost()):
            return work(*args, **kwargs)

    return run


def is_outermost() -> bool:
    """Return True if no transaction is open; the transaction of a test does not count, as in Django."""
    blocks = connection.atomic_blocks
    return not blocks or getattr(blocks[-1], "_from_testcase", False)


@dataclass
class _Progress:
    """The state of a transaction; after its commit was sent, its outcome may be unknown."""

    is_commit_sent: bool = False
    is_committed: bool = False

    def note_commit(self) -> None:
        self.is_committed = True


def _transaction_around(work: Callable[P, R], *, durable: bool) -> Callable[P, R]:
    def run_once(progress: _Progress, *args: P.args, **kwargs: P.kwargs) -> R:
        with transaction.atomic(durable=durable):
            # Registered first, because the other functions that run after the commit may fail.
            transaction.on_commit(progress.note_commit)
            result = work(*args, **kwargs)
            progress.is_commit_sent = True
        return result

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if connection.in_atomic_block:
            with transaction.atomic(durable=durable):
                return work(*args, **kwargs)
        started, progress = time.monotonic(), _Progress()
        try:
            return run_once(progress, *args, **kwargs)
        except (OperationalError, NotSupportedError) as error:
            is_lost = not progress.is_commit_sent and has_lost_connection(error, since=started)
            is_undone = not progress.is_committed and sqlstate(error) in RETRYABLE | {STALE_PLAN}
            if not is_lost and not is_undone:
                raise
            log.warning("%s runs again after %s", work.__qualname__, sqlstate(error) or error)
        time.sleep(RETRY_DELAY)
        return run_once(_Progress(), *args, **kwargs)

    return run
