"""Gateways to external services: calls with a time limit, behind a circuit breaker.

See docs/guarantees/operation.md#slow-gateways.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime, timedelta
from functools import cache
from ssl import SSLContext
from threading import Lock, Thread
from time import monotonic
from typing import TypeVar

import httpx
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

# Failures in a row that open the breaker, and seconds until one call may retry.
MAX_FAILURES = 5
OPEN_SECONDS = 60
# The most threads of one gateway and process that still run after their call timed out.
MAX_RUNNING_ON = 4
# The most seconds for a body, whose sender may be slow without end; a caller waits less.
MAX_BODY_SECONDS = 10


class Gateway:
    """An external service, with its circuit breaker in this process.

    `breaker.calling()` is a block that counts an exception as a failure. While the breaker is open, it raises
    CircuitBreakerError immediately.
    """

    def __init__(self, name: str, not_failures: tuple[type[Exception], ...]) -> None:
        self._storage = _Storage(STATE_CLOSED)
        # Of pybreaker's ways to call, only `calling` permits concurrent calls.
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
        self._running_on: list[Thread] = []

    @property
    def is_open(self) -> bool:
        """Return True if the breaker is open."""
        opened_at = self._storage.opened_at
        if opened_at is None or self.breaker.current_state != STATE_OPEN:
            return False
        return timezone.now() < opened_at + timedelta(seconds=OPEN_SECONDS)

    def call(self, work: Callable[[], R], *, seconds: float) -> R:
        """Run `work` in a thread and wait at most `seconds` for it; it must not use the database.

        The timeout of a socket restarts with each byte, so it does not limit the whole call. If a call times
        out, its thread runs until its socket times out, or `read_body` ends. Raises TimeoutError and the
        exceptions of `work`. Raises CircuitBreakerError without a call if the breaker is open or too many
        threads still run.
        """
        if self._count_running_on() >= MAX_RUNNING_ON:
            log.error("gateway %s: earlier calls have not ended", self.breaker.name)
            raise CircuitBreakerError("earlier calls have not ended")
        outcome: Future[R] = Future()
        thread = Thread(target=_run, args=(work, outcome), name=self.breaker.name, daemon=True)
        with self.breaker.calling():
            thread.start()
            try:
                return outcome.result(timeout=seconds)
            finally:
                if not outcome.done():
                    with self._lock:
                        self._running_on.append(thread)

    def _count_running_on(self) -> int:
        with self._lock:
            self._running_on = [thread for thread in self._running_on if thread.is_alive()]
            return len(self._running_on)


def _run(work: Callable[[], R], outcome: Future[R]) -> None:
    try:
        outcome.set_result(work())
    except Exception as failure:
        outcome.set_exception(failure)


@cache
def gateway(name: str, not_failures: tuple[type[Exception], ...] = ()) -> Gateway:
    """Return the gateway with a name; `not_failures`: exceptions that the breaker does not count."""
    return Gateway(name, not_failures)


def open_http(timeout: httpx.Timeout, **headers: str) -> httpx.Client:
    """Open an HTTP client that follows no redirects and asks for answers without compression.

    `headers`: those of every request, with `_` for `-`.
    """
    # A compressed answer could expand to any size.
    names = {"Accept-Encoding": "identity"} | {name.replace("_", "-"): text for name, text in headers.items()}
    return httpx.Client(timeout=timeout, follow_redirects=False, headers=names, verify=_tls())


@cache
def _tls() -> SSLContext:
    # Loading all CA certificates takes longer than many answers.
    return httpx.create_ssl_context()


def read_body(response: httpx.Response, *, max_bytes: int, failure: Callable[[str], Exception]) -> bytes:
    """Read the body of a streamed answer. Raises `failure` above `max_bytes` or MAX_BODY_SECONDS."""
    body, until = bytearray(), monotonic() + MAX_BODY_SECONDS
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > max_bytes:
            raise failure("the answer is too large")
        if monotonic() > until:
            raise failure("the answer takes too long")
    return bytes(body)


class _Storage(CircuitMemoryStorage):
    """The state of a breaker. It ignores a future opening time, stored before the clock was set back."""

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
        """Log the new state of a breaker."""
        level = logging.ERROR if new_state.name == "open" else logging.INFO
        log.log(level, "gateway %s: its breaker is %s", cb.name, new_state.name)
