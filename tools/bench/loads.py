"""Runs clients against a server, as processes of their own, and notes the processor time it cost."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from tools.bench.catalogues import BenchError, run_module
from tools.bench.client import Step
from tools.bench.server import Server
from tools.processors import database_seconds, spent, tree_seconds

Figures = dict[str, Any]


def load(server: Server, connections: int, seconds: float, subject: dict[str, Any]) -> Figures:
    """Send a subject's requests; raises BenchError if one is not answered with 200."""
    return _run(server, connections, seconds, requests=subject["requests"], whole=subject["whole"])


def run_chains(
    server: Server, connections: int, seconds: float, steps: Iterable[Step], shoppers: list[dict[str, Any]]
) -> Figures:
    """Run chains of calls; raises BenchError if a call is refused."""
    return _run(server, connections, seconds, steps=[asdict(step) for step in steps], shoppers=shoppers)


def _run(server: Server, connections: int, seconds: float, **options: Any) -> Figures:
    """Let a client send what the options have; raises BenchError if something is refused."""
    options |= {"port": server.port, "connections": connections, "seconds": seconds}
    figures: Figures = json.loads(run_module("tools.bench.client", stdin=json.dumps(options)))
    if figures.pop("failed"):
        raise BenchError(f"some requests were refused: {figures.get('examples', 'their status was not 200')}")
    figures.pop("examples", None)
    return figures


def with_processor_time(server: Server, run: Callable[[], Figures]) -> Figures:
    """Return a load's figures with the milliseconds of server and database for each request or chain."""
    before = tree_seconds(server.pid), database_seconds(server.database)
    figures = run()
    own, database = tree_seconds(server.pid), spent(before[1], database_seconds(server.database))
    requests = figures.get("whole", figures)["requests"]

    def milliseconds(seconds: float | None) -> float | None:
        return None if seconds is None or not requests else round(seconds / requests * 1000, 2)

    server_seconds = None if own is None or before[0] is None else own - before[0]
    return figures | {"server_ms": milliseconds(server_seconds), "database_ms": milliseconds(database)}
