"""Separate shops for tests: started by `make run`, or from a copy of the demonstration."""

import fcntl
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings

from tests import databases

# Set-up included, on a slow machine: migrations, 490 products and their pictures.
OPENS_WITHIN_SECONDS = 300
STOPS_WITHIN_SECONDS = 5
MAKE_RUN = ("make", "run")
SERVE = (".venv/bin/python", "manage.py", "serve")
# The processors are for the browser.
FEW_PICTURES = {"PICTURE_SECONDS": "1"}
# One process renders a page once, and the next reader gets it from its cache.
SMALL_SHOP = FEW_PICTURES | {"WEB_WORKERS": "1"}
SCRIPT_TAKES_SECONDS = 60
# Runs one script for each line of its input, and answers with what it has printed and its traceback.
RUN_SCRIPTS = """
import contextlib, io, json, sys, traceback
from core.snapshots import invalidate_all
for line in sys.stdin:
    invalidate_all()
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            exec(json.loads(line), {})
        except Exception:
            error = traceback.format_exc()
    print(json.dumps([printed.getvalue(), error]), flush=True)
"""


def eventually(is_so: Callable[[], bool], otherwise: str) -> None:
    """Wait until something is so that no page shows."""
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.1)


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data_dir: Path) -> dict[str, str]:
    """Return what a shop inherits: nothing of the tests' settings or of an outer make."""
    inherited = {name: text for name, text in os.environ.items() if not name.startswith(("MAKE", "DJANGO_"))}
    return inherited | {"DATA_DIR": str(data_dir)}


def _catch_interrupts() -> None:
    # A shell's background job ignores SIGINT, and so would all that it starts.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Shop:
    """A running shop with a data folder and a port of its own."""

    def __init__(self, command: Sequence[str], data_dir: Path, variables: Mapping[str, str]) -> None:
        port = free_port()
        self.url = f"http://localhost:{port}"
        self.data_dir = data_dir
        self._log = data_dir / f"output-{port}.log"
        self._scripts: subprocess.Popen[str] | None = None
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=settings.BASE_DIR,
                env=environment(data_dir) | dict(variables) | {"PORT": str(port), "HOST": "127.0.0.1"},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_catch_interrupts,
            )

    @property
    def output(self) -> str:
        """Everything it has printed."""
        return self._log.read_text("utf-8", errors="replace")

    def run(self, script: str) -> str:
        """Run a script of Python in the shop, as staff or the scheduler would; return what it prints.

        One process runs all scripts of a shop, because each start of Django takes seconds.
        """
        scripts = self._scripts
        if scripts is None:
            with self._log.open("ab") as log:
                scripts = self._scripts = subprocess.Popen(
                    [".venv/bin/python", "manage.py", "shell", "--no-imports", "-c", RUN_SCRIPTS],
                    cwd=settings.BASE_DIR,
                    env=environment(self.data_dir) | {"SITE_URL": self.url},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                )
        assert scripts.stdin is not None
        assert scripts.stdout is not None
        scripts.stdin.write(json.dumps(script) + "\n")
        scripts.stdin.flush()
        if not select.select([scripts.stdout], [], [], SCRIPT_TAKES_SECONDS)[0]:
            pytest.fail(f"not done after {SCRIPT_TAKES_SECONDS} s: {script}")
        printed, error = json.loads(scripts.stdout.readline())
        assert not error, error
        return str(printed).strip()

    def messages(self, about: str) -> list[dict[str, str]]:
        """Read the messages to an account or with a text from the outbox, newest last."""
        files = sorted((self.data_dir / "outbox").glob("*.json"))
        messages: list[dict[str, str]] = [json.loads(file.read_text("utf-8")) for file in files]
        return [each for each in messages if about == each["to"] or about in each["text"]]

    def processes(self) -> set[int]:
        """Return the ids of all processes that were started with its data folder."""
        mark = f"DATA_DIR={self.data_dir}\0".encode()
        found = set()
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (folder / "environ").read_bytes():
                    found.add(int(folder.name))
        return found

    def wait_for(self, path: str) -> None:
        """Wait until a path answers with success."""
        deadline = time.monotonic() + OPENS_WITHIN_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}{path}", timeout=5):  # noqa: S310  our own
                    return
            except (urllib.error.URLError, TimeoutError):
                time.sleep(0.1)
        pytest.fail(f"the shop did not open:\n{self.output[-4000:]}")

    def end(self) -> None:
        """End it with all its processes, in any state."""
        if self._scripts:
            self._scripts.kill()
            self._scripts.communicate()
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2 * STOPS_WITHIN_SECONDS)
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()


@contextmanager
def running(
    command: Sequence[str], data_dir: Path, variables: Mapping[str, str] = FEW_PICTURES
) -> Iterator[Shop]:
    """Start a shop with more environment variables, which ends with the block, also after an error."""
    shop = Shop(command, data_dir, variables)
    try:
        yield shop
    finally:
        shop.end()


def leave_demonstration(data_dir: Path) -> None:
    """Leave the data folder of a shop that has ended to a later run, where DEMONSTRATION names a place."""
    place = os.environ.get("DEMONSTRATION")
    # The stamp is there once the demonstration was loaded whole.
    if place and (data_dir / ".step-demo").exists():
        shutil.copytree(data_dir, place, ignore=shutil.ignore_patterns("*.log"))


def copy_demonstration(shared: Path, data_dir: Path) -> None:
    """Make a data folder with the demonstration: what an earlier run has left, or loaded once for this one.

    `shared`: the folder of all processes of this run.
    """
    made = Path(os.environ.get("DEMONSTRATION") or shared / "demonstration")
    with (shared / "demonstration.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            new = shared / "new-demonstration"
            new.mkdir()
            databases.copy_migrated_file(new / "shop.sqlite3")
            subprocess.run(
                [".venv/bin/python", "manage.py", "load_demo", "--skip-checks", "--verbosity", "0"],
                cwd=settings.BASE_DIR,
                env=environment(new),
                check=True,
                stdout=subprocess.DEVNULL,
            )
            shutil.move(new, made)
    shutil.copytree(made, data_dir, dirs_exist_ok=True)
