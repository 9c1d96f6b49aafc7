"""The page cache's store in one process: limits, ages, and locks of pages being rendered."""

import gzip
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import Error, connection

from core.recent import Recent

# The maximum age in the process, CDN and browser together, from the start of rendering.
LIFE = timedelta(seconds=settings.PAGE_SECONDS)
# A slower rendering shows that the machine is overloaded.
QUICK = timedelta(milliseconds=200)
# The machine counts as overloaded for this long after a slow rendering, since the next ones are also slow.
OVERLOADED_SECONDS = 1.0
# The maximum age of a copy on an overloaded machine, in this process only.
BUSY_LIFE = timedelta(seconds=settings.BUSY_PAGE_SECONDS)
# After this time, the next request gets the old page and then renders it again.
FRESH = LIFE * 2 / 3
# How long a request waits for another one's rendering, before it takes an older copy or renders the page too.
PATIENCE_SECONDS = 2.0
# The maximum age of a copy that is shown while the database is slow or unreachable.
OUTAGE_LIFE = max(LIFE, timedelta(seconds=settings.OUTAGE_COPY_SECONDS))
# The pause between two checks whether an unreachable database answers again.
PAUSE_SECONDS = 1.0


class CacheKey(NamedTuple):
    """The parts of a request that a page depends on; `query` has only parameters that pages read, sorted."""

    scheme: str
    host: str
    path: str
    query: str


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page's bytes by content coding, and its headers, which are the same for all visitors.

    `created_at`: when rendering began, before anything was read. `made_at`: when rendering ended.
    `expires_at`: when the content changes by time, for example at the end of a promotion.
    """

    bodies: dict[str, bytes]
    headers: dict[str, str]
    etag: str
    created_at: datetime
    made_at: datetime
    expires_at: datetime | None

    @property
    def size(self) -> int:
        """The approximate bytes in memory."""
        return sum(map(len, self.bodies.values())) + 2048

    def body(self, coding: str) -> bytes:
        """Return the bytes in a content coding; uncompressed for an empty one."""
        return self.bodies[coding] if coding else gzip.decompress(self.bodies["gzip"])

    def is_fresh(self, now: datetime, younger_than: timedelta) -> bool:
        """Return True if the page is young enough and not expired."""
        # The lower bound handles a clock that was set back.
        return self.created_at <= now < self.created_at + younger_than and (
            self.expires_at is None or now < self.expires_at
        )

    def is_alive(self, now: datetime) -> bool:
        """Return True if the page can be shown without rendering it again.

        If an overloaded machine took long to render it, its lifetime is extended by that time.
        """
        life = max(LIFE, self.made_at - self.created_at + LIFE - QUICK)
        return self.is_fresh(now, min(life, BUSY_LIFE))

    def is_due(self, now: datetime) -> bool:
        """Return True if the page should be rendered again."""
        return now >= self.made_at + FRESH

    def seconds_left(self, now: datetime) -> int:
        """Return how many whole seconds CDNs and browsers may cache the page."""
        end = self.created_at + LIFE
        return max(0, int(((min(end, self.expires_at) if self.expires_at else end) - now).total_seconds()))


class Making:
    """A page that is being rendered, for which other requests may wait."""

    def __init__(self) -> None:
        self._slow_from = time.monotonic() + QUICK.total_seconds()
        self._done = threading.Event()

    @property
    def is_slow(self) -> bool:
        """Whether it has taken so much time that the machine must be overloaded."""
        return time.monotonic() >= self._slow_from

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the rendering, at most some seconds; return True if it has ended."""
        return self._done.wait(seconds)

    def wait_while_quick(self) -> bool:
        """Wait until the rendering has ended or is slow; return True if it has ended."""
        return self._done.wait(max(0.0, self._slow_from - time.monotonic()))

    def end(self) -> None:
        """Wake the waiting requests."""
        self._done.set()


class PageStore:
    """The cached pages of a process.

    Pages with a query have their own cache, so that made-up queries cannot displace the others.
    """

    def __init__(self) -> None:
        self.plain: Recent[CacheKey, CachedPage] = Recent(500, 8 * 2**20)
        self.queried: Recent[CacheKey, CachedPage] = Recent(500, 8 * 2**20)
        # Locked while a page that has a copy is rendered: several together would slow down all answers.
        self.turn = threading.Lock()
        self._lock = threading.Lock()
        self._in_progress: dict[CacheKey, Making] = {}
        self._overloaded_until = 0.0

    def get(self, key: CacheKey) -> CachedPage | None:
        """Return a page of any age; None if there is none."""
        return self._cache_for(key).get(key)

    def put(self, key: CacheKey, page: CachedPage) -> None:
        """Store a page."""
        self._cache_for(key).put(key, page, page.size)

    def discard(self, key: CacheKey) -> None:
        """Remove a page of any age."""
        self._cache_for(key).discard(key)

    def clear(self) -> None:
        """Remove all pages, and forget an overload of the machine."""
        self.plain.clear()
        self.queried.clear()
        self._overloaded_until = 0.0

    def is_being_made(self, key: CacheKey) -> bool:
        """Return True if a request is rendering the page."""
        return key in self._in_progress

    def is_overloaded(self) -> bool:
        """Return True if a rendering is slow, or was slow a moment ago."""
        with self._lock:
            return time.monotonic() < self._overloaded_until or any(
                making.is_slow for making in self._in_progress.values()
            )

    def begin(self, key: CacheKey) -> Making | None:
        """Return the rendering to wait for; None if the caller must render the page and then call `end`."""
        with self._lock:
            other = self._in_progress.get(key)
            if other is None:
                self._in_progress[key] = Making()
            return other

    def end(self, key: CacheKey) -> None:
        """Wake the requests that wait for the page, and record whether its rendering was slow."""
        with self._lock:
            making = self._in_progress.pop(key)
            if making.is_slow:
                self._overloaded_until = time.monotonic() + OVERLOADED_SECONDS
            making.end()

    def _cache_for(self, key: CacheKey) -> Recent[CacheKey, CachedPage]:
        return self.queried if key.query else self.plain


class Outage:
    """Whether the database was unreachable in a rendering; a thread checks when it answers again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended_at = 0.0
        self.is_on = False

    def begin(self, since: float) -> None:
        """Begin an outage; `since`: when the failed rendering began (`time.monotonic`)."""
        with self._lock:
            # A rendering that began before the last outage ended does not show that another one has begun.
            if not self.is_on and since >= self._ended_at:
                watch = threading.Thread(target=self._watch, name="outage", daemon=True)
                # If the system cannot start a thread, nothing would end the outage, so the next page tries
                # again.
                with suppress(RuntimeError):
                    watch.start()
                    self.is_on = True

    def _watch(self) -> None:
        try:
            while not _database_answers():
                time.sleep(PAUSE_SECONDS)
        finally:
            with self._lock:
                self.is_on, self._ended_at = False, time.monotonic()


def _database_answers() -> bool:
    try:
        connection.ensure_connection()
        return connection.is_usable()
    except Error:
        return False
    finally:
        connection.close()


PAGES = PageStore()
OUTAGE = Outage()
