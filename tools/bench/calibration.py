"""How fast the machine is just now: a fixed loop, by which figures of different hours can be compared."""

import time
from collections.abc import Sequence

# Seconds that the loop needs on a quiet machine of the kind that the targets were set on.
QUIET_SECONDS = 0.184
TRIES = 3
_STEPS = 5_000_000


def loop_seconds() -> float:
    """Return the processor time of the fixed loop, the best of several."""
    return round(min(_once() for _ in range(TRIES)), 4)


def _once() -> float:
    began = time.process_time()
    total = 0
    for number in range(_STEPS):
        total += number * number % 7
    return time.process_time() - began


def slowness(loops: Sequence[float]) -> float:
    """Return how many times longer than on a quiet machine the loops took on average; at least 1."""
    return max(1.0, sum(loops) / len(loops) / QUIET_SECONDS) if loops else 1.0
