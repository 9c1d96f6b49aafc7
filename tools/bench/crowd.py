"""Measures how browsing slows down during fifty logins and fifty purchases at the same moment."""

import statistics
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain, cycle, islice
from typing import Any

from tools.bench.loads import load, run_chains
from tools.bench.server import Server
from tools.bench.steps import BUYERS, LOGIN, PURCHASE

CROWD = 50
BROWSERS = 4
ROUNDS = 3
# As long as the crowd of a slow shop takes, so that its effect on browsing is in the figures.
SECONDS = 4.0
LOOK_SECONDS = 0.4


def measured(
    subjects: list[dict[str, Any]], shoppers: list[dict[str, Any]], server: Server
) -> dict[str, Any]:
    """Return how slow browsing is without and with the crowd, and the memory of the largest worker."""
    names = ("goods pages, rendered", "goods/list by category and price", "goods/{id}")
    asked = [subject["requests"] for subject in subjects if subject["name"] in names]
    mixed = {
        # As many turns as the longest subject has requests.
        "requests": list(chain.from_iterable(islice(zip(*map(cycle, asked), strict=False), 1000))),
        "whole": False,
    }
    load(server, BROWSERS, SECONDS / 2, mixed)
    quiet = load(server, BROWSERS, SECONDS, mixed)
    busy, crowds = [], []
    with _largest(server) as sizes, ThreadPoolExecutor() as threads:
        for first in range(0, ROUNDS * CROWD, CROWD):
            browsing = threads.submit(load, server, BROWSERS, SECONDS, mixed)
            loggers, buyers = (shoppers[at + first : at + first + CROWD] for at in (BUYERS, 0))
            login = threads.submit(run_chains, server, CROWD, 0, [LOGIN], loggers)
            orders = threads.submit(run_chains, server, CROWD, 0, PURCHASE, buyers)
            crowds.append({"login": login.result(), "orders": orders.result()})
            busy.append(browsing.result())
    p95 = statistics.median(figures["p95_ms"] for figures in busy)
    return {
        "quiet_p95_ms": quiet["p95_ms"],
        "p95_ms": p95,
        "added_ms": round(p95 - quiet["p95_ms"], 2),
        "login_max_ms": max(crowd["login"]["whole"]["max_ms"] for crowd in crowds),
        "order_max_ms": max(crowd["orders"]["whole"]["max_ms"] for crowd in crowds),
        "busy": sum(crowd[name]["busy"] for crowd in crowds for name in crowd),
        "peak_mib": max(sizes, default=None),
    }


@contextmanager
def _largest(server: Server) -> Iterator[list[float]]:
    """Note the memory of the largest worker again and again, within the block."""
    sizes: list[float] = []
    ended = threading.Event()

    def look() -> None:
        while True:
            sizes.extend(size for size in [server.worker_mib()] if size is not None)
            if ended.wait(LOOK_SECONDS):
                return

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield sizes
    finally:
        ended.set()
        thread.join()
