"""Measures kept pages for as long as they are made again many times, window by window."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tools.bench.loads import load
from tools.bench.server import Server
from tools.bench.targets import BARE, MANY

SECONDS, WINDOWS = 3.0, 10
BARE_SECONDS = 1.5


def measured(subjects: list[dict[str, Any]], server: Server, seconds: float = SECONDS) -> dict[str, Any]:
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
