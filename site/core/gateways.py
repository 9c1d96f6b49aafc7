"""Services outside the shop: asked for a bounded time, and left alone for a while after they failed.

See docs/guarantees/operation.md#slow-gateways.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from ctypes import c_ulong, py_object, pythonapi
from datetime import datetime, timedelta
from functools import cache
from threading import Event, Lock, Thread
from typing import TypeVar

from django.utils import timezone
from pybreaker import (
    STATE_CLOSED,
    STATE_OPEN,
    CircuitBreaker,
    CircuitBreakerError,
    CircuitBreakerListener,
    CircuitBreakerState,
    CircuitMemoryStorage,
)

log = logging.getLogger(__name__)

R = TypeVar("R")

# Failures in a row that open the breaker, and seconds until one call may try again.
MAX_FAILURES = 5
OPEN_SECONDS = 60
# Threads of one gateway in one process that nobody waits for any more and that have not ended.
MAX_ABANDONED = 4


class Gateway:
    """A service outside the shop, and how this process fares with it.

    `breaker.calling()` is a block that counts an exception as a failure; it raises CircuitBreakerError at
    once while the breaker is open.
    """

    def __init__(self, name: str, not_failures: tuple[type[Exception], ...]) -> None:
        self._storage = _Storage(STATE_CLOSED)
        # Of pybreaker's ways to call, only `calling` lets several threads call at once.
        self.breaker = CircuitBreaker(
            fail_max=MAX_FAILURES,
            reset_timeout=OPEN_SECONDS,
            exclude=list(not_failures),
            listeners=[_Log()],
            name=name,
            state_storage=self._storage,
            throw_new_error_on_trip=False,
        )
        self._lock = Lock()
        self._abandoned: list[Thread] = []

    @property
    def is_left_alone(self) -> bool:
        """Whether a call would be refused since earlier ones have failed."""
        opened_at = self._storage.opened_at
        if opened_at is None or self.breaker.current_state != STATE_OPEN:
            return False
        return timezone.now() < opened_at + timedelta(seconds=OPEN_SECONDS)

    def call(self, work: Callable[[], R], *, seconds: float) -> R:
        """Do `work` in a thread and wait for it at most `seconds`; it must not use the database.

        The timeouts of a socket begin again with each byte, so they do not bound the whole; a thread that
        nobody waits for any more is ended. Raises TimeoutError, whatever `work` raises, and without a call
        CircuitBreakerError, while the breaker is open or too many threads have not ended.
        """
        if self._count_abandoned() >= MAX_ABANDONED:
            log.error("gateway %s: earlier calls have not ended", self.breaker.name)
            raise CircuitBreakerError("earlier calls have not ended")
        outcome: Future[R] = Future()
        is_left = Event()
        thread = Thread(target=_run, args=(work, outcome, is_left), name=self.breaker.name, daemon=True)
        with self.breaker.calling():
            thread.start()
            try:
                return outcome.result(timeout=seconds)
            finally:
                if not outcome.done():
                    _end(thread)
                    with self._lock:
                        self._abandoned.append(thread)
                is_left.set()

    def _count_abandoned(self) -> int:
        with self._lock:
            self._abandoned = [thread for thread in self._abandoned if thread.is_alive()]
            return len(self._abandoned)


def _run(work: Callable[[], R], outcome: Future[R], is_left: Event) -> None:
    with suppress(SystemExit):
        try:
            outcome.set_result(work())
        except Exception as failure:
            outcome.set_exception(failure)
        finally:
            # The system gives the number of a thread that has ended to another one.
            is_left.wait()


def _end(thread: Thread) -> None:
    """Raise SystemExit in a thread that has not ended, as soon as it is back from the system.

    That is with the next byte or the socket's timeout. The sockets themselves are out of reach within the
    libraries that open them.
    """
    assert thread.ident
    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident), py_object(SystemExit))


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
