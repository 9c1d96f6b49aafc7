"""Batches for work on many rows, each short enough that a customer can wait for its end."""

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

# A transaction that lasts longer is followed by a smaller batch, down to the size below which most of the
# time goes into what every batch costs.
TARGET_SECONDS = 0.25
MIN_SIZE, MAX_SIZE = 50, 5000
# One batch may have been slow or quick for another reason than its size.
MIN_FACTOR, MAX_FACTOR = 0.25, 2.0


def short_batches(rows: Iterable[T]) -> Iterator[list[T]]:
    """Split rows into batches, each to be written in a transaction of its own before the next is asked for.

    The size follows the time that the caller takes for a batch (docs/guarantees/operation.md#waiting).
    """
    rest, size = iter(rows), MIN_SIZE
    while batch := list(islice(rest, size)):
        started = time.monotonic()
        yield batch
        seconds = time.monotonic() - started
        factor = min(MAX_FACTOR, max(MIN_FACTOR, TARGET_SECONDS / max(seconds, 0.001)))
        size = min(MAX_SIZE, max(MIN_SIZE, round(size * factor)))
