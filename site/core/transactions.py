"""A transaction that is retried once after a deadlock (docs/guarantees.md)."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from threading import RLock
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

P = ParamSpec("P")
R = TypeVar("R")

# PostgreSQL: serialization_failure, deadlock_detected.
RETRYABLE = frozenset({"40001", "40P01"})

# Seconds before the retry, so that the other transaction can finish.
RETRY_DELAY = 0.05

# SQLite's writers poll for its one lock, and some would starve; this queue is fair. A thread may enter again,
# since what runs after a commit may begin a transaction of its own.
_one_writer = RLock()


def in_transaction(work: Callable[P, R]) -> Callable[P, R]:
    """Run a service in one transaction, and once more after a deadlock: it must be safe to run again.

    Within another transaction nothing is retried, since the database has rolled back the whole of it.
    """
    return _transaction_around(work, durable=False)


def in_durable_transaction(work: Callable[P, R]) -> Callable[P, R]:
    """As `in_transaction`, but never within another: what it writes stays, whatever its caller does next."""
    return _transaction_around(work, durable=True)


def _transaction_around(work: Callable[P, R], *, durable: bool) -> Callable[P, R]:
    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        is_outermost = not connection.in_atomic_block
        try:
            with _turn(is_outermost), transaction.atomic(durable=durable):
                return work(*args, **kwargs)
        except OperationalError as error:
            if not is_outermost or getattr(error.__cause__, "sqlstate", None) not in RETRYABLE:
                raise
        time.sleep(RETRY_DELAY)
        with transaction.atomic():
            return work(*args, **kwargs)

    return run


def _turn(is_outermost: bool) -> AbstractContextManager[object]:
    return _one_writer if is_outermost and connection.vendor == "sqlite" else nullcontext()
