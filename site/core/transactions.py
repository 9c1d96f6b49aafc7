"""One transaction that is tried a second time when the database gave it up for another (RELIABILITY 2)."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

P = ParamSpec("P")
R = TypeVar("R")

# PostgreSQL: serialization_failure, deadlock_detected.
GIVEN_UP = frozenset({"40001", "40P01"})

# Seconds: the other one finishes meanwhile; begun again at once, both would meet again.
BREATHER = 0.05

# SQLite's writers poll for their one lock and the unlucky starve; in a queue each has its turn.
_one_writer = Lock()


def in_transaction(work: Callable[P, R]) -> Callable[P, R]:
    """Run a service in one transaction, and once more after a deadlock; so it must be safe to run again.

    Within another transaction nothing is tried again: what was given up there is the whole of it.
    """

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        is_outermost = not connection.in_atomic_block
        try:
            with _turn(is_outermost), transaction.atomic():
                return work(*args, **kwargs)
        except OperationalError as error:
            if not is_outermost or getattr(error.__cause__, "sqlstate", None) not in GIVEN_UP:
                raise
        time.sleep(BREATHER)
        with transaction.atomic():
            return work(*args, **kwargs)

    return run


def _turn(is_outermost: bool) -> AbstractContextManager[object]:
    return _one_writer if is_outermost and connection.vendor == "sqlite" else nullcontext()
