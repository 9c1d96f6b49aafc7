"""Hints: tasks that a row's writer puts into a queue (docs/guarantees/operation.md#tasks)."""

import logging
from collections.abc import Callable

from django.db import transaction
from pybreaker import CircuitBreakerError

from core.gateways import gateway

log = logging.getLogger(__name__)


def enqueue_after_commit(task: Callable[..., object], *arguments: int | str) -> None:
    """Put a task into its queue once the transaction around is committed; without one, immediately.

    A queue that cannot be reached is logged and changes nothing for the caller, whose row a periodic job will
    find.
    After failures in a row the queues are left alone for a while.
    """

    def put() -> None:
        # Django's own `robust` fails to log a `partial`, and the caller would get a fault.
        try:
            with gateway("queues").breaker.calling():
                task(*arguments)
        except CircuitBreakerError:
            log.info("a hint was not given")
        except Exception:
            log.exception("a task could not be queued")

    transaction.on_commit(put)
