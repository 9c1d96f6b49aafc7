"""Batches for work on many rows, each so short that a customer can wait for its end."""

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from django.db import connection

T = TypeVar("T")

# After a longer transaction the next batch is smaller. Below MIN_SIZE most of the time is the fixed cost of
# a batch.
TARGET_SECONDS = 0.25
MIN_SIZE, MAX_SIZE = 50, 5000
# A batch may have been slow or fast for a reason other than its size.
MIN_FACTOR, MAX_FACTOR = 0.25, 2.0
# SQLite has no queue of writers: a waiting writer retries every 0.1 seconds and needs a pause as long.
SQLITE_PAUSE_SECONDS = 0.12


def short_batches(rows: Iterable[T]) -> Iterator[list[T]]:
    """Split rows into batches; the caller writes each in its own transaction before it requests the next.

    The size adapts to the caller's time for a batch (docs/guarantees/operation.md#waiting).
    """
    rest, size = iter(rows), MIN_SIZE
    while batch := list(islice(rest, size)):
        started = time.monotonic()
        yield batch
        seconds = time.monotonic() - started
        if connection.vendor == "sqlite" and len(batch) == size:
            time.sleep(SQLITE_PAUSE_SECONDS)
        factor = min(MAX_FACTOR, max(MIN_FACTOR, TARGET_SECONDS / max(seconds, 0.001)))
        size = min(MAX_SIZE, max(MIN_SIZE, round(size * factor)))
