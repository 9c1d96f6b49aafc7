"""Starts the web server as in production, measures its memory, and stops it."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.bench.catalogues import ROOT, BenchError, Catalogue

HOST = "127.0.0.1"
START_SECONDS = 60.0
STOP_SECONDS = 10.0


@dataclass(frozen=True)
class Server:
    """A running web server."""

    port: int
    pid: int

    def worker_mb(self) -> float | None:
        """Return the memory of the largest worker, in MB; None where the system does not report it."""
        sizes = [_resident(pid) for pid in _children(self.pid)]
        return round(max(size for size in sizes if size) / 1e6, 1) if any(sizes) else None


@contextmanager
def serving(catalogue: Catalogue) -> Iterator[Server]:
    """Serve a catalogue on a free port of the loopback; raises BenchError if it does not start."""
    port = free_port()
    log = catalogue.folder / "web.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "web"],
            cwd=ROOT,
            env=environment_of(catalogue, port),
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_for(process, port, log)
            yield Server(port, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                for pid in [*_children(process.pid), process.pid]:
                    subprocess.run(["/bin/kill", "-KILL", str(pid)], check=False)
                process.wait()
    # The log has a line for each request and is only needed after a failure.
    log.unlink()


def environment_of(catalogue: Catalogue, port: int) -> dict[str, str]:
    """Return the environment of the server and of the client."""
    return catalogue.environment(HOST=HOST, PORT=str(port), SITE_URL=f"http://{HOST}:{port}")


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/livez", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise BenchError(f"the web server does not answer: see {log.relative_to(ROOT)}")


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        found += map(int, tasks.read_text().split())
    return found


def _resident(pid: int) -> int:
    """Return the bytes of memory that a process has, shared pages in proportion."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
