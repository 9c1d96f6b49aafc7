"""A shop of a scenario's own: database, data folder, web server and task consumer."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tools.chaos.engines import Engine
from tools.chaos.figures import ScenarioError
from tools.launch import HOST, ROOT, address, environment, free_port, seconds_until_answer

START_SECONDS, STOP_SECONDS = 90, 60


class Shop:
    """A running shop; `folder`: its data folder, which names its database too; `code`: its checkout."""

    def __init__(self, engine: Engine, folder: Path, code: Path = ROOT, /, **settings: str) -> None:
        self.engine = engine
        self.folder = folder
        self.code = code
        self._python = str(code / ".venv" / "bin" / "python")
        self.port = free_port()
        self.url = f"http://{HOST}:{self.port}"
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    def choose(self, **settings: str) -> None:
        """Set further settings, before it is started."""
        self._settings |= settings

    @property
    def log(self) -> Path:
        """The file of all that it prints."""
        return self.folder / "output.log"

    @property
    def environment(self) -> dict[str, str]:
        """What its processes are started with: a production start, with the fakes of the demonstration."""
        return (
            environment(
                self.folder,
                DATABASE_URL=self.engine.url(self.folder),
                SANDBOX_SECRET="for-scenarios-only",  # noqa: S106
                SANDBOX_GATEWAY="on",
                ALLOWED_FAKES="demo-data,sms-outbox,email-outbox,sandbox-gateway",
                STOP_SECONDS="10",
                PYTHONPATH=os.pathsep.join([str(self.code / "site"), str(self.code)]),
                **address(self.port),
            )
            | self._settings
        )

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py; returns what it printed. Raises ScenarioError where it fails."""
        return self.run("manage.py", *arguments)

    def prepare(self, **wanted: int) -> dict[str, Any]:
        """Make customers and products (`tools.chaos.prepare`); returns what a client needs of them."""
        prepared: dict[str, Any] = json.loads(self.run("-m", "tools.chaos.prepare", json.dumps(wanted)))
        return prepared

    def do(self, function: str, *arguments: str, module: str = "tools.chaos.shop_work") -> Any:
        """Call a function of a module in the shop's environment (`tools.call`); return its result."""
        return json.loads(self.run("-m", "tools.call", module, function, *arguments))

    def copy_order(self, order_no: str, number: int) -> None:
        """Copy an order that was paid from the wallet so many times; the shop must not run."""
        self.do("copy_order", order_no, str(number), module="tools.chaos.many_orders")

    def run(self, *arguments: str) -> str:
        """Run Python in the shop's environment and return its output; raise ScenarioError if it fails."""
        done = self._run(*arguments)
        if done.returncode:
            raise ScenarioError(
                f"{' '.join(arguments)[:200]} failed:\n{done.stdout[-500:]}{done.stderr[-10_000:]}"
            )
        return done.stdout

    def differences(self) -> list[dict[str, str]]:
        """Return what `manage.py audit` finds."""
        done = self._run("manage.py", "audit", "--json")
        try:
            found: list[dict[str, str]] = json.loads(done.stdout)["differences"]
        except ValueError:
            raise ScenarioError(f"the audit failed:\n{done.stderr[-2000:]}") from None
        return found

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [self._python, *arguments]
        return subprocess.run(command, cwd=self.code, env=self.environment, capture_output=True, text=True)

    def start(self) -> None:
        """Start web server and task consumer, and wait until the shop is ready."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._python, "manage.py", "serve"],
                cwd=self.code,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.wait_for("/readyz")

    def wait_for(self, path: str, seconds: float = START_SECONDS) -> float:
        """Wait until a path answers with success; returns how long that took. Raises ScenarioError."""
        taken = seconds_until_answer(self.url + path, seconds, pause=0.1)
        if taken is None:
            raise ScenarioError(f"{path} did not answer with success within {seconds} s: see {self.folder}")
        return taken

    def log_lines(self, text: str) -> int:
        """Count the lines of its log that contain a text."""
        return sum(text in line for line in self.log.read_text("utf-8", errors="replace").splitlines())

    def processes(self) -> list[int]:
        """Return the ids of its processes, found by its data folder in their environment."""
        mark = f"DATA_DIR={self.folder}\0".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
        return found

    def kill(self) -> None:
        """Kill all its processes by SIGKILL."""
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._process:
            self._process.wait()

    def stop(self) -> None:
        """Stop it as an operator does, and whatever has not ended by SIGKILL."""
        if self._process and self._process.poll() is None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        self.kill()


@contextmanager
def shop_of(engine: Engine, folder: Path, **settings: str) -> Iterator[Shop]:
    """Give a shop with a copy of the demonstration, not started; it is stopped at the end."""
    folder.mkdir(parents=True)
    engine.copy(folder)
    shop = Shop(engine, folder, **settings)
    try:
        yield shop
    finally:
        shop.stop()
