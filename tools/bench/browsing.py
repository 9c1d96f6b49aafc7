"""Measures the public requests: pages, lists, searches, products, next to the floors."""

import statistics
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from tools.bench.loads import Figures, load, with_processor_time
from tools.bench.server import Server
from tools.bench.targets import BARE, MANY

WARM_SECONDS = 0.3
WINDOW_SECONDS, WINDOWS = 3.0, 10
BARE_SECONDS = 1.5


def measured(
    subjects: list[dict[str, Any]], server: Server, seconds: float, rounds: int
) -> list[dict[str, Any]]:
    """Return the figures of each subject and number of connections, the median of the rounds."""
    found: dict[tuple[str, int], list[Figures]] = {}
    for subject in subjects:
        load(server, MANY, WARM_SECONDS, subject)
    # Round by round, so that other load on the machine affects all subjects alike.
    for _ in range(rounds):
        for subject in subjects:
            for connections in (1, MANY):
                run = partial(load, server, connections, seconds, subject)
                figures = with_processor_time(server, run)
                found.setdefault((subject["name"], connections), []).append(figures)
    facts = {subject["name"]: subject for subject in subjects}
    hidden = ("name", "requests", "whole")
    return [
        {"subject": name, "connections": connections}
        | medians(rows)
        | {key: fact for key, fact in facts[name].items() if key not in hidden}
        for (name, connections), rows in found.items()
    ]


def medians(rows: list[Figures]) -> Figures:
    """Return the median of each figure; None where it is not known."""
    return {
        key: None if None in (values := [row[key] for row in rows]) else round(statistics.median(values), 2)
        for key in rows[0]
    }


def by_windows(
    subjects: list[dict[str, Any]], server: Server, seconds: float = WINDOW_SECONDS
) -> dict[str, Any]:
    """Ask for all kept pages in turn, window by window, between windows of the bare view.

    Returns the smallest share of the bare view in any window, all shares, and the slowest answer.
    """
    pages = [request for subject in subjects if "rendered_ms" in subject for request in subject["requests"]]
    mixed = {"requests": pages, "whole": False}
    bare = next(subject for subject in subjects if subject["name"] == BARE)
    load(server, MANY, BARE_SECONDS, mixed)
    floors, windows = [load(server, MANY, BARE_SECONDS, bare)], []
    for _ in range(WINDOWS):
        windows.append(load(server, MANY, seconds, mixed))
        floors.append(load(server, MANY, BARE_SECONDS, bare))
    shares = shares_of(
        [window["per_second"] for window in windows], [floor["per_second"] for floor in floors]
    )
    return {
        "smallest_share": min(shares),
        "shares": shares,
        "per_second": min(window["per_second"] for window in windows),
        "slowest_ms": max(window["max_ms"] for window in windows),
        "floor_slowest_ms": max(floor["max_ms"] for floor in floors),
    }


def shares_of(windows: Sequence[float], floors: Sequence[float]) -> list[float]:
    """Return each window's rate as a share of that of the floor, before and after it.

    `floors`: one more than the windows, which lie between them.
    """
    around = pairwise(floors)
    return [
        round(window / ((before + after) / 2), 2)
        for window, (before, after) in zip(windows, around, strict=True)
    ]
