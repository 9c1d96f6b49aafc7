"""Read-only copies of facts that the threads of one process share for a few seconds."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from django.db import OperationalError

from core.database_errors import refusal_of
from core.errors import Err

T = TypeVar("T")


class SharedSnapshot(Generic[T]):
    """The snapshot of one kind of facts; one thread at a time reads a new one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._value: T | None = None
        self._failures = 0

    def get(
        self, read: Callable[[T | None], T], *, is_fresh: Callable[[T], bool], is_usable: Callable[[T], bool]
    ) -> T:
        """Return the snapshot, after reading a new one where it is not fresh.

        `read`: makes a snapshot from the last one, if there is one. While one thread reads, the others get
        the last one if it is usable, or wait. Raises OperationalError for those who have waited in vain for
        a database that is out of reach: trying one after the other, they would wait for very long.
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
