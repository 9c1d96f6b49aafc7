"""Measures how long the web server takes from its start to the first answer of a view."""

import statistics
import time

from tools.bench.catalogues import Catalogue
from tools.bench.processors import tree_seconds
from tools.bench.server import serving

TRIES = 3
FIRST = "/bench/bare"


def measured(catalogue: Catalogue) -> dict[str, float | None]:
    """Start the server several times; returns the medians of the seconds and of its processor time."""
    # The first one may have to read programs from the disk.
    with serving(catalogue, FIRST):
        pass
    seconds, processor = [], []
    for _ in range(TRIES):
        began = time.monotonic()
        with serving(catalogue, FIRST) as server:
            seconds.append(time.monotonic() - began)
            processor.append(tree_seconds(server.pid))
    known = [each for each in processor if each is not None]
    return {
        "seconds": round(statistics.median(seconds), 2),
        "processor_seconds": round(statistics.median(known), 2) if known else None,
    }
