"""Measures how browsing slows down during fifty logins and fifty purchases at the same moment."""

import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tools.bench.catalogues import BenchError
from tools.bench.customers import BUYERS
from tools.bench.loads import ConcurrentLoad, load, run_chains
from tools.bench.purchases import LOGIN, PURCHASE
from tools.bench.server import Server

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
        "requests": [request for turn in zip(*map(_cycled, asked), strict=False) for request in turn],
        "whole": False,
    }
    load(server, BROWSERS, SECONDS / 2, mixed)
    quiet = load(server, BROWSERS, SECONDS, mixed)
    busy, crowds = [], []
    with _largest(server) as sizes:
        for number in range(ROUNDS):
            browsing = ConcurrentLoad(server, BROWSERS, SECONDS, mixed)
            browsing.begin()
            crowds.append(_crowd(shoppers, server, number))
            busy.append(browsing.figures())
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


def _cycled(requests: list[str]) -> Iterator[str]:
    # As many as the longest subject has.
    for number in range(1000):
        yield requests[number % len(requests)]


def _crowd(shoppers: list[dict[str, Any]], server: Server, number: int) -> dict[str, Any]:
    """Log fifty customers in and let fifty others buy, all concurrently; raises BenchError as a load does."""
    first = number * CROWD
    wanted = {
        "login": ([LOGIN], shoppers[BUYERS + first : BUYERS + first + CROWD]),
        "orders": (PURCHASE, shoppers[first : first + CROWD]),
    }
    found: dict[str, Any] = {}

    def run(name: str) -> None:
        try:
            found[name] = run_chains(server, CROWD, 0, *wanted[name])
        except BenchError as error:
            found["error"] = error

    threads = [threading.Thread(target=run, args=(name,)) for name in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if "error" in found:
        raise found["error"]
    return found


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
