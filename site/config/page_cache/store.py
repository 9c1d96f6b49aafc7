"""The page cache's store in one process: its limits, ages, and locks of pages being rendered."""

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
# A rendering that takes longer shows that the machine is overloaded.
QUICK = timedelta(milliseconds=200)
# So long after such a rendering it still counts as overloaded: between two of them others are as slow.
OVERLOADED_SECONDS = 1.0
# The maximum age of a copy while it is, in the process alone.
BUSY_LIFE = timedelta(seconds=settings.BUSY_PAGE_SECONDS)
# So long after it was made the next request renders it again, after it has got the old page.
FRESH = LIFE * 2 / 3
# How long a request waits for another to render the page, before it takes an older copy or renders it too.
PATIENCE_SECONDS = 2.0
# The maximum age of a copy that is shown while the database is slow or out of reach.
OUTAGE_LIFE = max(LIFE, timedelta(seconds=settings.OUTAGE_COPY_SECONDS))
# How long the database is left alone then, before it is asked again whether it answers.
PAUSE_SECONDS = 1.0


class CacheKey(NamedTuple):
    """What a page depends on; `query` has only the parameters that pages read, sorted."""

    scheme: str
    host: str
    path: str
    query: str


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page's bytes by content coding, and the headers that are the same for everyone.

    `created_at`: when rendering began, before anything was read; `made_at`: when it was done; `expires_at`:
    when its content changes by time, such as the end of a promotion.
    """

    bodies: dict[str, bytes]
    headers: dict[str, str]
    etag: str
    created_at: datetime
    made_at: datetime
    expires_at: datetime | None

    @property
    def size(self) -> int:
        """Its approximate bytes in memory."""
        return sum(map(len, self.bodies.values())) + 2048

    def body(self, coding: str) -> bytes:
        """Return its bytes in a content coding; an empty coding returns it uncompressed."""
        return self.bodies[coding] if coding else gzip.decompress(self.bodies["gzip"])

    def is_fresh(self, now: datetime, younger_than: timedelta) -> bool:
        """Return True if it may be shown: young enough, and not expired."""
        # The lower bound covers a clock that was set back.
        return self.created_at <= now < self.created_at + younger_than and (
            self.expires_at is None or now < self.expires_at
        )

    def is_alive(self, now: datetime) -> bool:
        """Return True if it may be shown to anyone.

        A copy that an overloaded machine took long to make lives as long from then on as any other.
        """
        life = max(LIFE, self.made_at - self.created_at + LIFE - QUICK)
        return self.is_fresh(now, min(life, BUSY_LIFE))

    def is_due(self, now: datetime) -> bool:
        """Return True if it is time to render it again."""
        return now >= self.made_at + FRESH

    def seconds_left(self, now: datetime) -> int:
        """Return for how many whole seconds CDNs and browsers may cache it."""
        end = self.created_at + LIFE
        return max(0, int(((min(end, self.expires_at) if self.expires_at else end) - now).total_seconds()))


class Making:
    """The rendering of a page that others may wait for."""

    def __init__(self) -> None:
        self._slow_from = time.monotonic() + QUICK.total_seconds()
        self._done = threading.Event()

    @property
    def is_slow(self) -> bool:
        """Whether its length means that the machine must be overloaded."""
        return time.monotonic() >= self._slow_from

    def wait(self, seconds: float) -> bool:
        """Wait until it is done, or for some seconds; returns whether it is."""
        return self._done.wait(seconds)

    def wait_while_quick(self) -> bool:
        """Wait until it is done, or slow; returns whether it is done."""
        return self._done.wait(max(0.0, self._slow_from - time.monotonic()))

    def end(self) -> None:
        """Wake the requests that wait."""
        self._done.set()


class PageStore:
    """The cached pages of a process.

    Pages with a query have a cache of their own, so that made-up queries cannot drive out the others.
    """

    def __init__(self) -> None:
        self.plain: Recent[CacheKey, CachedPage] = Recent(500, 8 * 2**20)
        self.queried: Recent[CacheKey, CachedPage] = Recent(500, 8 * 2**20)
        # Held while a page is rendered that has a copy: together they would slow every answer.
        self.turn = threading.Lock()
        self._lock = threading.Lock()
        self._in_progress: dict[CacheKey, Making] = {}
        self._overloaded_until = 0.0

    def get(self, key: CacheKey) -> CachedPage | None:
        """Return a page of any age."""
        return self._cache_for(key).get(key)

    def put(self, key: CacheKey, page: CachedPage) -> None:
        """Store a page."""
        self._cache_for(key).put(key, page, page.size)

    def clear(self) -> None:
        """Drop all pages, and what is known of the machine."""
        self.plain.clear()
        self.queried.clear()
        self._overloaded_until = 0.0

    def is_being_made(self, key: CacheKey) -> bool:
        """Return True if a request is rendering the page."""
        return key in self._in_progress

    def is_overloaded(self) -> bool:
        """Return True if some page takes long to render, or did a moment ago."""
        with self._lock:
            return time.monotonic() < self._overloaded_until or any(
                making.is_slow for making in self._in_progress.values()
            )

    def begin(self, key: CacheKey) -> Making | None:
        """Return the rendering to wait for, or None to the caller who has to do it and call `end`."""
        with self._lock:
            other = self._in_progress.get(key)
            if other is None:
                self._in_progress[key] = Making()
            return other

    def end(self, key: CacheKey) -> None:
        """Wake the requests that wait for the page."""
        with self._lock:
            making = self._in_progress.pop(key)
            if making.is_slow:
                self._overloaded_until = time.monotonic() + OVERLOADED_SECONDS
            making.end()

    def _cache_for(self, key: CacheKey) -> Recent[CacheKey, CachedPage]:
        return self.queried if key.query else self.plain


class Outage:
    """Whether rendering has found the database out of reach; a thread watches for its return."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended_at = 0.0
        self.is_on = False

    def begin(self, since: float) -> None:
        """Begin an outage that a page has found whose rendering began at a time (`time.monotonic`)."""
        with self._lock:
            # A request that has waited since before the last outage ended shows nothing about now.
            if not self.is_on and since >= self._ended_at:
                watch = threading.Thread(target=self._watch, name="outage", daemon=True)
                # If the system has no thread left, no thread would announce its end: the next page tries
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
