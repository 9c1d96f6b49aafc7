"""The page cache's store in one process: its limits, ages, and locks of pages being rendered."""

import gzip
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import Error, connection

# The maximum age in the process, CDN and browser together, from the start of rendering.
LIFE = timedelta(seconds=settings.PAGE_SECONDS)
# From this age on the next request renders it again, after it has got the old page; so do others meanwhile.
FRESH = LIFE / 2
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

    `created_at`: when rendering began, before anything was read; `expires_at`: when its content changes
    by time, such as the end of a promotion.
    """

    bodies: dict[str, bytes]
    headers: dict[str, str]
    etag: str
    created_at: datetime
    expires_at: datetime | None

    @property
    def size(self) -> int:
        """Its approximate bytes in memory."""
        return sum(map(len, self.bodies.values())) + 2048

    def body(self, coding: str) -> bytes:
        """Return its bytes in a content coding; an empty coding returns it uncompressed."""
        return self.bodies[coding] if coding else gzip.decompress(self.bodies["gzip"])

    def is_fresh(self, now: datetime, younger_than: timedelta) -> bool:
        """Tell whether it may be shown: young enough, and not expired."""
        # The lower bound covers a clock that was set back.
        return self.created_at <= now < self.created_at + younger_than and (
            self.expires_at is None or now < self.expires_at
        )

    def seconds_left(self, now: datetime) -> int:
        """Return for how many whole seconds CDNs and browsers may cache it."""
        end = self.created_at + LIFE
        return max(0, int(((min(end, self.expires_at) if self.expires_at else end) - now).total_seconds()))


class LRUCache:
    """Pages up to a number and a total size; the least recently used is dropped first."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._lock = threading.Lock()
        self._pages: OrderedDict[CacheKey, CachedPage] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._pages)

    def get(self, key: CacheKey) -> CachedPage | None:
        """Return a page of any age, and mark it as recently used."""
        with self._lock:
            page = self._pages.get(key)
            if page:
                self._pages.move_to_end(key)
            return page

    def put(self, key: CacheKey, page: CachedPage) -> None:
        """Store a page in place of an older one."""
        with self._lock:
            self._drop(key)
            self._pages[key] = page
            self.bytes += page.size
            while len(self._pages) > self._most or self.bytes > self._most_bytes:
                self._drop(next(iter(self._pages)))

    def clear(self) -> None:
        """Drop all pages."""
        with self._lock:
            self._pages.clear()
            self.bytes = 0

    def _drop(self, key: CacheKey) -> None:
        gone = self._pages.pop(key, None)
        self.bytes -= gone.size if gone else 0


class PageStore:
    """The cached pages of a process.

    Pages with a query have a cache of their own, so that made-up queries cannot drive out the others.
    """

    def __init__(self) -> None:
        self.plain = LRUCache(500, 8 * 2**20)
        self.queried = LRUCache(500, 8 * 2**20)
        self._lock = threading.Lock()
        self._in_progress: dict[CacheKey, threading.Event] = {}

    def get(self, key: CacheKey) -> CachedPage | None:
        """Return a page of any age."""
        return self._cache_for(key).get(key)

    def put(self, key: CacheKey, page: CachedPage) -> None:
        """Store a page."""
        self._cache_for(key).put(key, page)

    def clear(self) -> None:
        """Drop all pages."""
        self.plain.clear()
        self.queried.clear()

    def is_being_made(self, key: CacheKey) -> bool:
        """Tell whether a request is rendering the page."""
        return key in self._in_progress

    def begin(self, key: CacheKey) -> threading.Event | None:
        """Return an event to wait for, or None to the caller who has to render the page and call `end`."""
        with self._lock:
            other = self._in_progress.get(key)
            if other is None:
                self._in_progress[key] = threading.Event()
            return other

    def end(self, key: CacheKey) -> None:
        """Wake the requests that wait for the page."""
        with self._lock:
            self._in_progress.pop(key).set()

    def _cache_for(self, key: CacheKey) -> LRUCache:
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
            # Who has waited since before the last outage ended tells nothing about now.
            if not self.is_on and since >= self._ended_at:
                watch = threading.Thread(target=self._watch, name="outage", daemon=True)
                # Where the system has no thread left nobody would tell its end: the next page tries again.
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
