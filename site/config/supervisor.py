"""Runs the web server and the task consumer as one: both live or neither does."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

_PR_SET_PDEATHSIG = 1
_SIGINT_BIT = 1 << (signal.SIGINT - 1)


@dataclass(frozen=True)
class Child:
    """A command of manage.py that runs until it gets its stop signal."""

    name: str
    arguments: tuple[str, ...]
    stop_signal: signal.Signals


class _Starter:
    """The process that started us: a shell, an init system, or `make`."""

    def __init__(self) -> None:
        self._pid = os.getppid()
        self._caught_interrupts = self._catches_interrupts()

    def is_gone(self) -> bool:
        """Tell whether it has ended or was interrupted.

        `make` passes SIGTERM on; after a SIGINT to itself alone it only waits for us, catching no second one.
        """
        return os.getppid() != self._pid or (self._caught_interrupts and not self._catches_interrupts())

    def _catches_interrupts(self) -> bool:
        try:
            status = Path(f"/proc/{self._pid}/status").read_text()
        except OSError:
            return False
        caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
        return bool(int(caught.split()[1], 16) & _SIGINT_BIT)


def _end_with_parent() -> None:
    # Linux tells a child that its parent was killed; elsewhere only a proper end reaches it.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _start(child: Child) -> subprocess.Popen[bytes]:
    # In a session of its own, so that a terminal's Ctrl-C reaches it through us alone, once.
    return subprocess.Popen(  # noqa: S603  manage.py alone
        [sys.executable, "manage.py", *child.arguments], start_new_session=True, preexec_fn=_end_with_parent
    )


def supervise(children: Sequence[Child], *, grace: float, on_start: Callable[[], None]) -> int:
    """Run children until one ends, a signal comes or whoever started us is gone; returns the exit code.

    `grace`: seconds from the stop signal to the kill. `on_start` is called once all are started.
    """
    asked = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        asked.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ask)
    starter = _Starter()
    running = {child: _start(child) for child in children}
    threading.Thread(target=on_start, daemon=True).start()
    ended: Child | None = None
    while ended is None and not starter.is_gone() and not asked.wait(0.2):
        ended = next((child for child, process in running.items() if process.poll() is not None), None)
    _stop(running, grace)
    if ended:
        sys.stderr.write(f"The {ended.name} ended by itself: see its last lines above.\n")
    return 1 if ended else 0


def _stop(running: dict[Child, subprocess.Popen[bytes]], grace: float) -> None:
    for child, process in running.items():
        if process.poll() is None:
            process.send_signal(child.stop_signal)
    deadline = time.monotonic() + grace
    for process in running.values():
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass
        finally:
            _kill_session(process)


def _kill_session(process: subprocess.Popen[bytes]) -> None:
    """Leave nobody behind, not even a worker whose own parent was killed."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
