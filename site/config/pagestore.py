"""Pages kept in the memory of one process: how many, how long, and one at work on each."""

import gzip
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

# Ours, the CDN's and the browser's time together, from when the page was begun.
LIFE = timedelta(seconds=settings.PAGE_SECONDS)
# From then on the next request makes it anew; others get the old copy meanwhile.
FRESH = LIFE / 2
# How long one waits for a page another is making, if there is no old copy.
PATIENCE_SECONDS = 2.0


class Address(NamedTuple):
    """What a page depends on; `query` holds only what pages read, in a fixed order."""

    scheme: str
    host: str
    path: str
    query: str


@dataclass(frozen=True, slots=True)
class Copy:
    """A page as it is sent: by content coding, with the headers that are the same for everyone.

    `born`: when it was begun, before anything was read for it; `until`: when its contents change by
    themselves, if that is known.
    """

    bodies: dict[str, bytes]
    headers: dict[str, str]
    etag: str
    born: datetime
    until: datetime | None

    @property
    def size(self) -> int:
        """Its bytes in memory, about."""
        return sum(map(len, self.bodies.values())) + 2048

    def body(self, coding: str) -> bytes:
        """Return its bytes in a content coding; empty for none, which hardly anyone asks for."""
        return self.bodies[coding] if coding else gzip.decompress(self.bodies["gzip"])

    def serves(self, now: datetime, younger_than: timedelta) -> bool:
        """Tell whether it may be shown: young enough, and nothing in it has changed by itself."""
        # A clock that was set back makes no page live longer.
        return self.born <= now < self.born + younger_than and (self.until is None or now < self.until)

    def seconds_left(self, now: datetime) -> int:
        """Return for how many whole seconds it may be kept on its way to the shopper."""
        end = self.born + LIFE
        return max(0, int(((min(end, self.until) if self.until else end) - now).total_seconds()))


class Shelf:
    """Copies up to a number and to a size; the one not asked for the longest goes first."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._lock = threading.Lock()
        self._copies: OrderedDict[Address, Copy] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._copies)

    def get(self, address: Address) -> Copy | None:
        """Return a copy of whatever age, and remember that it was asked for."""
        with self._lock:
            copy = self._copies.get(address)
            if copy:
                self._copies.move_to_end(address)
            return copy

    def put(self, address: Address, copy: Copy) -> None:
        """Keep a copy in place of an older one."""
        with self._lock:
            self._drop(address)
            self._copies[address] = copy
            self.bytes += copy.size
            while len(self._copies) > self._most or self.bytes > self._most_bytes:
                self._drop(next(iter(self._copies)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._copies.clear()
            self.bytes = 0

    def _drop(self, address: Address) -> None:
        gone = self._copies.pop(address, None)
        self.bytes -= gone.size if gone else 0


class PageStore:
    """The pages that a process keeps.

    Those with a query have a shelf of their own: however many anyone thinks up, the others stay.
    """

    def __init__(self) -> None:
        self.plain = Shelf(500, 8 * 2**20)
        self.queried = Shelf(500, 8 * 2**20)
        self._lock = threading.Lock()
        self._at_work: dict[Address, threading.Event] = {}

    def get(self, address: Address) -> Copy | None:
        """Return a copy of whatever age."""
        return self._shelf(address).get(address)

    def put(self, address: Address, copy: Copy) -> None:
        """Keep a copy."""
        self._shelf(address).put(address, copy)

    def clear(self) -> None:
        """Forget every page."""
        self.plain.clear()
        self.queried.clear()

    def is_being_made(self, address: Address) -> bool:
        """Tell whether somebody is making the page."""
        return address in self._at_work

    def begin(self, address: Address) -> threading.Event | None:
        """Return what is set once the page is made, or None to who is to make it and call `end`."""
        with self._lock:
            other = self._at_work.get(address)
            if other is None:
                self._at_work[address] = threading.Event()
            return other

    def end(self, address: Address) -> None:
        """Tell those who wait that the page is made, or cannot be."""
        with self._lock:
            self._at_work.pop(address).set()

    def _shelf(self, address: Address) -> Shelf:
        return self.queried if address.query else self.plain


PAGES = PageStore()
