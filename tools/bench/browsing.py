"""Measures the public requests: pages, lists, searches, products, next to the floors."""

import statistics
from functools import partial
from typing import Any

from tools.bench.loads import Figures, load, with_processor_time
from tools.bench.server import Server
from tools.bench.targets import MANY

WARM_SECONDS = 0.3


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
