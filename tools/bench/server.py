"""Starts the web server as in production, measures its memory, and stops it."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.bench.catalogues import ROOT, BenchError, Catalogue
from tools.bench.processors import largest_mib, tree
from tools.chaos.engines import free_port

HOST = "127.0.0.1"
START_SECONDS, POLL_SECONDS = 60.0, 0.02
STOP_SECONDS = 10.0


@dataclass(frozen=True)
class Server:
    """A running web server; `database`: the name of its database on PostgreSQL, else empty."""

    port: int
    pid: int
    database: str

    def worker_mib(self) -> float | None:
        """Return the memory of the largest worker, in MiB; None where the system does not report it."""
        return largest_mib(tree(self.pid)[1:])


@contextmanager
def serving(
    catalogue: Catalogue, first: str = "/livez", more: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Serve a catalogue on a free port of the loopback until the block ends.

    Waits for the answer of the path `first`; raises BenchError if there is none. `more`: of the environment.
    """
    port = free_port()
    log = catalogue.folder / "web.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "web"],
            cwd=ROOT,
            env=environment_of(catalogue, port) | dict(more or {}),
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_for(process, port, log, first)
            yield Server(port, process.pid, catalogue.name if catalogue.server else "")
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


def environment_of(catalogue: Catalogue, port: int) -> dict[str, str]:
    """Return the environment of the server and of the client."""
    return catalogue.environment(HOST=HOST, PORT=str(port), SITE_URL=f"http://{HOST}:{port}")


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path, path: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}{path}", timeout=1):
                return
        except OSError:
            time.sleep(POLL_SECONDS)
    raise BenchError(f"the web server does not answer: see {log.relative_to(ROOT)}")
