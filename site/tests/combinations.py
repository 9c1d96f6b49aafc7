"""The languages and viewports that a test runs in (docs/testing.md#combinations)."""

import os
import zlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

# Set by `make test-full`.
ALL_COMBINATIONS = bool(os.environ.get("ALL_COMBINATIONS"))


def choose(name: str, combinations: Sequence[T]) -> Sequence[T]:
    """Return one of the combinations of a test, always the same for its name; all with ALL_COMBINATIONS."""
    if ALL_COMBINATIONS:
        return combinations
    chosen = zlib.crc32(name.encode()) % len(combinations)
    return combinations[chosen : chosen + 1]
