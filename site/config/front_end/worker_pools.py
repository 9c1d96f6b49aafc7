"""Pools of threads that answer requests: those that may wait for a lock never delay those that only read."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from django.db import connections

from config.paths import ADMIN
from core.errors import Err, ShopError
from core.queues import close_idle_connections

log = logging.getLogger(__name__)

# How long a request may wait for a thread: read requests never block, so waiting is better than a refusal.
# Write requests may also wait for a lock, and are still answered within four seconds.
READING_WAIT_SECONDS, WRITING_WAIT_SECONDS = 5.0, 1.0
# Passwords are hashed one at a time in a process (`core.hashing`), while the second thread queries the
# database. So concurrent logins wait here, not in the threads that carts and orders need.
HASHING_THREADS, HASHING_WAIT_SECONDS = 2, 5.0
RETRY_AFTER = 1
# A thread that has had no request for this long closes its connections.
IDLE_SECONDS = 60
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
# API calls that only read, although they have a body.
_READING_CALLS = frozenset(
    {
        "/api/v1/pc/goods/list",
        "/api/v1/pc/goods/batch",
        "/api/v1/pc/orderInfo",
        "/api/v1/pc/common/freight",
        "/api/v1/pc/order/preview",
    }
)
_HASHING_PATHS = frozenset(
    {
        "/api/v1/pc/login",
        "/api/v1/pc/register",
        "/api/v1/pc/resetPassword",
        "/api/v1/pc/setting/login/password",
        f"{ADMIN}/login/",
    }
)
# A GET of these paths may settle a payment; pages of the back office may write.
_WRITING_PATHS = (ADMIN, "/api/v1/pc/pay/result/", "/pay/return/")


def only_reads(method: str, path: str) -> bool:
    """Return True if a request waits neither for locked rows nor for a payment provider."""
    if path in _READING_CALLS:
        return True
    return method in _SAFE and not path.startswith(_WRITING_PATHS)


def hashes_a_password(method: str, path: str) -> bool:
    """Return True if a request logs in, or sets a login password."""
    return path in _HASHING_PATHS and method not in _SAFE


class _Job:
    """One request: its work, and the future that notifies the event loop of its end."""

    def __init__(self, work: Callable[[], None], done: asyncio.Future[None]) -> None:
        self.work = work
        self.done = done
        self._claim = Lock()

    def claim(self) -> bool:
        """Claim the job, for a thread or to give up; return True for the first claim."""
        return self._claim.acquire(blocking=False)

    def give_up(self) -> None:
        """Refuse the job unless a thread has claimed it."""
        if self.claim():
            self.done.set_exception(ShopError(Err.shop_busy, retry_after=RETRY_AFTER))


class WorkerPool:
    """A fixed number of threads with one queue; the number of connections limits the queue."""

    def __init__(self, name: str, *, threads: int, wait_seconds: float) -> None:
        self._name = name
        self._wait_seconds = wait_seconds
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._size = threads
        self._under_way = 0
        self._threads: list[Thread] = []

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads for jobs of this event loop."""
        for number in range(self._size):
            name = f"{self._name}-{number + 1}"
            thread = Thread(target=self._work, args=(loop,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Let the threads finish their jobs, close their database connections, and end."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    async def run(self, work: Callable[[], None]) -> None:
        """Run work in a thread. Raises ShopError(shop_busy) if no thread is free in time."""
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future())
        timer = None
        if self._under_way >= self._size:
            timer = loop.call_later(self._wait_seconds, job.give_up)
        self._under_way += 1
        self._jobs.put(job)
        try:
            await job.done
        finally:
            self._under_way -= 1
            if timer:
                timer.cancel()

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        while job := self._next():
            if not job.claim():
                continue
            try:
                job.work()
            except BaseException:
                log.exception("unhandled fault")
            loop.call_soon_threadsafe(job.done.set_result, None)
        connections.close_all()

    def _next(self) -> _Job | None:
        """Wait for the next job and return it; None at the end."""
        while True:
            with suppress(Empty):
                return self._jobs.get(timeout=IDLE_SECONDS)
            close_idle_connections()
