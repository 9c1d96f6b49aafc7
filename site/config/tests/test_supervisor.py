"""The process that starts the others: what it shares with them, how it starts them again, and its end."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from core.queues import QUEUES
from tests import databases
from tests.browser.shops import environment, free_port

LOOK = """
import os, config.wsgi
threads = os.listdir("/proc/self/task")
files = [os.readlink(each.path) for each in os.scandir("/proc/self/fd") if os.path.exists(each.path)]
shared = [name for name in files if name.startswith("socket:") or ".sqlite3" in name]
assert (len(threads), shared) == (1, []), (threads, shared)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux forks.")
@pytest.mark.slow
def test_an_import_starts_no_thread_and_opens_no_connection(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=settings.BASE_DIR,
        env={"PYTHONPATH": ".:site", "DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(tmp_path)},
        check=True,
        timeout=60,
    )


BUSY = """
from config.supervisor import Supervisor
Supervisor(grace=1)
print("ready", flush=True)
for _ in range(2_000_000):
    pass
print("done", flush=True)
input()
"""


def test_a_signal_that_arrives_while_another_is_handled_does_not_hang_the_stop() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BUSY],
        cwd=settings.BASE_DIR,
        env={"PYTHONPATH": ".:site", "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        limit = threading.Timer(20, process.kill)
        limit.start()
        assert process.stdout.readline() == b"ready\n"
        with ThreadPoolExecutor(1) as pool:
            line = pool.submit(process.stdout.readline)
            while not line.done():
                process.send_signal(signal.SIGTERM)
        limit.cancel()
        process.kill()
    assert line.result() == b"done\n"


RUN = """
import os, signal, sys, time
import django
django.setup()
from config import supervisor
supervisor.FIRST_PAUSE_SECONDS = 0.05

def fail():
    sys.exit(3)

def work():
    time.sleep(60)

def fail_once():
    if os.path.exists("{marker}"):
        work()
    open("{marker}", "w").close()
    os.kill(os.getpid(), signal.SIGKILL)

supervisor.execute_from_command_line = lambda arguments: globals()[arguments[1]]()
child = supervisor.Child
children = [child("works", ("work",), signal.SIGTERM), {children}]
print(supervisor.Supervisor(grace=5).serve(children, on_look=lambda: None))
"""


def run_supervisor(children: str, marker: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", RUN.format(children=children, marker=marker)],
        cwd=settings.BASE_DIR,
        env={
            "PYTHONPATH": ".:site",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATA_DIR": str(marker.parent),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere children do not inherit the test.")


@linux_only
def test_a_child_that_fails_too_often_in_a_row_ends_all_with_the_reason(tmp_path: Path) -> None:
    process = run_supervisor('child("fails", ("fail",), signal.SIGTERM, max_failures=3)', tmp_path / "unused")
    code, errors = process.communicate(timeout=30)
    assert code == "1\n"
    lines = [json.loads(line)["event"] for line in errors.splitlines()]
    assert lines[0] == "the fails ended (exit code 3) and starts again in 0 s"
    assert lines[2:] == ["the fails ended (exit code 3), failure 3 in a row"]


@linux_only
def test_a_killed_child_is_started_again_and_a_stop_is_logged(tmp_path: Path) -> None:
    marker = tmp_path / "failed"
    process = run_supervisor('child("fails once", ("fail_once",), signal.SIGTERM, max_failures=2)', marker)
    assert process.stderr
    assert "the fails once ended (exit code -9) and starts again" in process.stderr.readline()
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    code, errors = process.communicate(timeout=30)
    assert code == "0\n"
    assert [json.loads(line)["event"] for line in errors.splitlines()] == ["stopped by SIGTERM"]


class Served(NamedTuple):
    """A shop that `serve` runs; `pid`: its supervisor."""

    pid: int
    url: str
    log: Path

    def children(self, pid: int = 0) -> list[int]:
        """Return the ids of a process's children, by default of the supervisor's."""
        pid = pid or self.pid
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def workers(self) -> list[int]:
        """Return the ids of the web server's workers."""
        return [worker for child in self.children() for worker in self.children(child)]

    def is_alive(self) -> bool:
        """Return True if it answers, and the web server and all consumers run."""
        with suppress(httpx.TransportError):
            is_up = httpx.get(f"{self.url}/livez", timeout=5).status_code == 200
            return is_up and len(self.children()) == 1 + len(QUEUES)
        return False

    def has_replaced(self, worker: int) -> bool:
        """Return True if it is alive without a worker that was killed."""
        return self.is_alive() and worker not in self.workers()


def wait_until(is_so: Callable[[], bool], served: Served) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline, served.log.read_text("utf-8")[-4000:]
        time.sleep(0.05)


@pytest.fixture
def served(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Served]:
    """A shop that a shell has started in the background; the shell has ended."""
    port, log = free_port(), tmp_path / "output.log"
    with django_db_blocker.unblock():
        databases.copy_migrated_file(tmp_path / "shop.sqlite3")
    started = subprocess.run(
        ["sh", "-c", f"{sys.executable} manage.py serve > {log} 2>&1 & echo $!"],
        cwd=settings.BASE_DIR,
        env=environment(tmp_path) | {"PORT": str(port), "HOST": "127.0.0.1", "WEB_WORKERS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = Served(int(started.stdout), f"http://127.0.0.1:{port}", log)
    try:
        yield found
    finally:
        with suppress(ProcessLookupError):
            os.kill(found.pid, signal.SIGKILL)


@linux_only
@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="The shop has an SQLite file of its own")
def test_a_shop_outlives_its_shell_and_the_kill_of_each_of_its_processes(served: Served) -> None:
    wait_until(served.is_alive, served)
    os.kill(served.pid, signal.SIGHUP)
    killed = served.children()
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: served.is_alive() and not {*killed} & {*served.children()}, served)
    # Granian gives up when a worker is killed again within five seconds.
    for _ in range(2):
        [worker] = served.workers()
        os.kill(worker, signal.SIGKILL)
        wait_until(partial(served.has_replaced, worker), served)
    assert "the web server ended (exit code 1)" in served.log.read_text("utf-8")
    os.kill(served.pid, signal.SIGTERM)
    wait_until(lambda: not Path(f"/proc/{served.pid}").exists(), served)
    assert "stopped by SIGTERM" in served.log.read_text("utf-8")
