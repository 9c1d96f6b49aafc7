"""Services outside the shop: asked for a bounded time, and left alone for a while after they failed.

See docs/guarantees.md#slow-gateways.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from functools import cache, partial
from threading import BoundedSemaphore, Thread
from typing import TypeVar

from django.utils import timezone
from pybreaker import (
    STATE_CLOSED,
    CircuitBreaker,
    CircuitBreakerListener,
    CircuitBreakerState,
    CircuitMemoryStorage,
)

log = logging.getLogger(__name__)

R = TypeVar("R")

# Failures in a row that open the breaker, and seconds until one call may try again.
MAX_FAILURES = 5
OPEN_SECONDS = 60
# Calls of one gateway under way at once in one process, those included that nobody waits for any more.
MAX_CALLS = 4


class Gateway:
    """A service outside the shop, and how this process fares with it.

    `breaker.calling()` is a block that counts an exception as a failure; it raises CircuitBreakerError at
    once while the breaker is open.
    """

    def __init__(self, name: str, not_failures: tuple[type[Exception], ...]) -> None:
        # Of pybreaker's ways to call, only `calling` lets several threads call at once.
        self.breaker = CircuitBreaker(
            fail_max=MAX_FAILURES,
            reset_timeout=OPEN_SECONDS,
            exclude=list(not_failures),
            listeners=[_Log()],
            name=name,
            state_storage=_Storage(STATE_CLOSED),
            throw_new_error_on_trip=False,
        )
        self._threads = BoundedSemaphore(MAX_CALLS)

    def call(self, work: Callable[[], R], *, seconds: float) -> R:
        """Do `work` in a thread and wait for it at most `seconds`; it must not use the database.

        The timeouts of a socket begin again with each byte, so they do not bound the whole.
        Raises TimeoutError, CircuitBreakerError while the breaker is open, and whatever `work` raises.
        """
        with self.breaker.calling():
            if not self._threads.acquire(blocking=False):
                raise TimeoutError("earlier calls have not ended")
            outcome: Future[R] = Future()
            run = partial(self._run, work, outcome)
            try:
                Thread(target=run, name=self.breaker.name, daemon=True).start()
            except RuntimeError:
                # The system has no thread left.
                self._threads.release()
                raise
            return outcome.result(timeout=seconds)

    def _run(self, work: Callable[[], R], outcome: Future[R]) -> None:
        try:
            outcome.set_result(work())
        except Exception as failure:
            outcome.set_exception(failure)
        finally:
            self._threads.release()


@cache
def gateway(name: str, not_failures: tuple[type[Exception], ...] = ()) -> Gateway:
    """Return the gateway of a name; `not_failures`: exceptions that say nothing against the service."""
    return Gateway(name, not_failures)


class _Storage(CircuitMemoryStorage):
    """The state of a breaker; one that opens only in the future was opened before the clock was set back."""

    @property
    def opened_at(self) -> datetime | None:
        opened_at = super().opened_at
        return opened_at if opened_at and opened_at <= timezone.now() else None

    @opened_at.setter
    def opened_at(self, moment: datetime) -> None:
        self._opened_at = moment


class _Log(CircuitBreakerListener):
    def state_change(
        self, cb: CircuitBreaker, old_state: CircuitBreakerState | None, new_state: CircuitBreakerState
    ) -> None:
        """Log that a gateway is left alone, or works again."""
        level = logging.ERROR if new_state.name == "open" else logging.INFO
        log.log(level, "gateway %s: its breaker is %s", cb.name, new_state.name)
