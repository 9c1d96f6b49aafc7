"""Queues tasks after the commit of the row that they process (docs/guarantees/operation.md#tasks)."""

import logging
from collections.abc import Callable

from django.db import transaction
from pybreaker import CircuitBreakerError

from core.gateways import gateway

log = logging.getLogger(__name__)


def enqueue_after_commit(task: Callable[..., object], *arguments: int | str) -> None:
    """Queue a task after the current transaction commits; without a transaction, immediately.

    If the queue is unreachable, the error is logged and the caller continues; a periodic job will find its
    row. After several failures in a row no task is queued for a while.
    """

    def put() -> None:
        # Django's `robust` cannot log a `partial`, and its error would reach the caller.
        try:
            with gateway("queues").breaker.calling():
                task(*arguments)
        except CircuitBreakerError:
            log.info("a hint was not given")
        except Exception:
            log.exception("a task could not be queued")

    transaction.on_commit(put)
