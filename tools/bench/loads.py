"""Runs clients against a server, as processes of their own, and notes the processor time it cost."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tools.bench.catalogues import ROOT, BenchError
from tools.bench.chains import Step
from tools.bench.processors import database_seconds, spent, tree_seconds
from tools.bench.server import Server

Figures = dict[str, Any]
CLIENT, CHAINS = "tools.bench.client", "tools.bench.chains"


def commit_of(folder: Path) -> str:
    """Return the short name of the commit that is checked out."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout.strip()


def run_module(module: str, *arguments: str, environment: dict[str, str], stdin: str = "") -> str:
    """Run a module as a process of its own; returns what it printed. Raises BenchError where it fails."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True)
    return _printed(module, done.returncode, done.stdout, done.stderr)


def load(server: Server, connections: int, seconds: float, subject: dict[str, Any]) -> Figures:
    """Send a subject's requests; raises BenchError if one is not answered with 200."""
    return _finished(*_begun(CLIENT, _plain(server, connections, seconds, subject)))


def run_chains(
    server: Server, connections: int, seconds: float, steps: Iterable[Step], shoppers: list[dict[str, Any]]
) -> Figures:
    """Run chains of calls; raises BenchError if a call is refused."""
    options: dict[str, Any] = {"port": server.port, "connections": connections, "seconds": seconds}
    options |= {"steps": [asdict(step) for step in steps], "shoppers": shoppers}
    return _finished(*_begun(CHAINS, options))


class ConcurrentLoad:
    """A load that runs together with others: `begin` it, then ask for its `figures`."""

    def __init__(self, server: Server, connections: int, seconds: float, subject: dict[str, Any]) -> None:
        self._options = _plain(server, connections, seconds, subject)

    def begin(self) -> None:
        """Start its client."""
        self._begun = _begun(CLIENT, self._options)

    def figures(self) -> Figures:
        """Wait for its end; returns and raises as `load`."""
        return _finished(*self._begun)


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


def _plain(server: Server, connections: int, seconds: float, subject: dict[str, Any]) -> dict[str, Any]:
    options = {"port": server.port, "connections": connections, "seconds": seconds}
    return options | {name: subject[name] for name in ("requests", "whole")}


def _begun(module: str, options: dict[str, Any]) -> tuple[str, subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", module],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    # It reads all of it before it begins.
    process.stdin.write(json.dumps(options))
    process.stdin.close()
    process.stdin = None
    return module, process


def _finished(module: str, process: "subprocess.Popen[str]") -> Figures:
    stdout, stderr = process.communicate()
    figures: Figures = json.loads(_printed(module, process.returncode, stdout, stderr))
    if figures.pop("failed"):
        raise BenchError(f"some requests were refused: {figures.get('examples', 'their status was not 200')}")
    figures.pop("examples", None)
    return figures


def _printed(module: str, code: int, stdout: str, stderr: str) -> str:
    if code:
        raise BenchError(f"{module} failed:\n{stderr[-2000:]}")
    return stdout
