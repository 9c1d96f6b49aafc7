"""Starts the web server as in production, measures its start and its memory, and stops it."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tools.bench.catalogues import BenchError, Catalogue
from tools.launch import ROOT, address, free_port, seconds_until_answer
from tools.processors import largest_mib, tree, tree_seconds

START_SECONDS, POLL_SECONDS = 60.0, 0.02
# How often its start is measured, until the answer of a view that does nothing.
TRIES = 3
FIRST = "/bench/bare"
STOP_SECONDS = 10.0


@dataclass(frozen=True)
class Server:
    """A running web server of a catalogue."""

    catalogue: Catalogue
    port: int
    pid: int

    @property
    def database(self) -> str:
        """The name of its database on PostgreSQL, else empty."""
        return self.catalogue.name if self.catalogue.server else ""

    def worker_mib(self) -> float | None:
        """Return the memory of the largest worker, in MiB; None where the system does not report it."""
        return largest_mib(tree(self.pid)[1:])

    def call(self, module: str, function: str, **settings: str) -> Any:
        """Call a function of `tools.bench` with the server's address; as `Catalogue.call`."""
        return self.catalogue.call(module, function, **address(self.port), **settings)


@contextmanager
def serving(catalogue: Catalogue, first: str = "/livez") -> Iterator[Server]:
    """Serve a catalogue on a free port of the loopback until the block ends.

    Waits for the answer of the path `first`; raises BenchError if there is none.
    """
    port = free_port()
    log = catalogue.folder / "web.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "web"],
            cwd=ROOT,
            env=catalogue.environment(**address(port)),
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            url = address(port)["SITE_URL"] + first

            def is_running() -> bool:
                return process.poll() is None

            if seconds_until_answer(url, START_SECONDS, pause=POLL_SECONDS, is_running=is_running) is None:
                raise BenchError(f"the web server does not answer: see {log.relative_to(ROOT)}")
            yield Server(catalogue, port, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                for pid in reversed(tree(process.pid)):
                    subprocess.run(["/bin/kill", "-KILL", str(pid)], check=False)
                process.wait()
    # The log has a line for each request and is only needed after a failure.
    log.unlink()


def start_times(catalogue: Catalogue) -> dict[str, float | None]:
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
