"""Read-only copies of facts that the threads of a process share for a few seconds."""

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from django.conf import settings
from django.db import OperationalError
from django.db.models import Model
from django.db.models.signals import post_delete, post_save

from core.database_errors import refusal_of
from core.errors import Err

T = TypeVar("T")

# All snapshots of this process.
_all: "WeakSet[SharedSnapshot[Any]]" = WeakSet()


class SharedSnapshot(Generic[T]):
    """The snapshot of one kind of facts; only one thread at a time reads a new one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: T | None = None
        self._failures = 0
        _all.add(self)

    def get(
        self, read: Callable[[T | None], T], *, is_fresh: Callable[[T], bool], is_usable: Callable[[T], bool]
    ) -> T:
        """Return the snapshot, after reading a new one if it is not fresh.

        `read`: returns a new snapshot; its argument is the last one or None. While one thread reads, the
        others get the last snapshot if it is usable, or wait. Threads that waited while the database was
        unreachable get OperationalError, because trying in turn would take too long.
        """
        failures, value = self._failures, self._value
        if value is not None and is_fresh(value):
            return value
        must_wait = value is None or not is_usable(value)
        if not self._lock.acquire(blocking=must_wait) and value is not None:
            return value
        try:
            value = self._value
            if value is None or not is_fresh(value):
                if self._failures != failures:
                    raise OperationalError("another thread has just found the database out of reach")
                try:
                    self._value = value = read(value)
                except OperationalError as error:
                    refused = refusal_of(error)
                    if refused and refused.err is Err.shop_unavailable:
                        self._failures += 1
                    raise
            return value
        finally:
            self._lock.release()

    def invalidate(self) -> None:
        """Make the next call read a new snapshot."""
        self._value = None


def invalidate_all() -> None:
    """Make the next call of every snapshot in this process read a new one."""
    for each in _all:
        each.invalidate()


class SharedRows(Generic[T]):
    """Rows that staff rarely change, such as freight rules; each process caches them.

    They are at most SNAPSHOT_SECONDS old, or twice that for callers during a new read. Saving or deleting a
    row makes this process read again. Threads share the rows, so callers must not change them.
    """

    def __init__(self, read: Callable[[], T], *models: type[Model]) -> None:
        """Store the function that reads the rows, and connect to the signals of the models."""
        self._read = read
        # The rows, and the end of their freshness on the monotonic clock.
        self._shared: SharedSnapshot[tuple[T, float]] = SharedSnapshot()
        for model in models:
            for signal in (post_save, post_delete):
                signal.connect(self.invalidate, sender=model)

    def get(self) -> T:
        """Return the rows; runs the queries of `read` only if they are too old."""
        rows, _ = self._shared.get(self._reread, is_fresh=_is_fresh, is_usable=self._is_usable)
        return rows

    def _is_usable(self, last: tuple[T, float]) -> bool:
        return time.monotonic() < last[1] + settings.SNAPSHOT_SECONDS

    def _reread(self, _last: tuple[T, float] | None) -> tuple[T, float]:
        until = time.monotonic() + settings.SNAPSHOT_SECONDS
        return self._read(), until

    def invalidate(self, **_signal: Any) -> None:
        """Make the next call read the rows again."""
        self._shared.invalidate()


class PageRows(SharedRows[T]):
    """Rows that pages show, never older than SNAPSHOT_SECONDS, so that changes are visible in time.

    Callers wait during a new read.
    """

    def _is_usable(self, last: tuple[T, float]) -> bool:
        return _is_fresh(last)


def _is_fresh(last: tuple[Any, float]) -> bool:
    return time.monotonic() < last[1]
