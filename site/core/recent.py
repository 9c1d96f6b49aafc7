"""A cache of recently used values in a process: limited in size, and shared by its threads."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values up to a number and a total size; the least recently used values are dropped first."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._lock = threading.Lock()
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return a value and mark it as recently used; None if it is not cached."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Store a value of about `size` bytes; it replaces an older one."""
        with self._lock:
            self._drop(key)
            self._values[key] = value, size
            self.bytes += size
            while len(self._values) > self._most or self.bytes > self._most_bytes:
                self._drop(next(iter(self._values)))

    def discard(self, key: K) -> None:
        """Drop a value if it is cached."""
        with self._lock:
            self._drop(key)

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()
            self.bytes = 0

    def _drop(self, key: K) -> None:
        gone = self._values.pop(key, None)
        self.bytes -= gone[1] if gone else 0
