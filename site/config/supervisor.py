"""Runs the web server and the consumers of the queues; if one of them ends, the others are stopped."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from django.core.management import execute_from_command_line

# Forks share imported modules; the system libraries of macOS do not support forks.
PROCESSES = get_context("fork") if sys.platform == "linux" else get_context("spawn")
_LOOKS_EVERY = 0.2
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Child:
    """A command of manage.py that runs until its stop signal."""

    name: str
    arguments: tuple[str, ...]
    stop_signal: signal.Signals


def _start(child: Child) -> BaseProcess:
    process = PROCESSES.Process(target=_run, args=(child,))
    # Signals stay pending until the child can handle them.
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    process.start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    return process


def _run(child: Child) -> None:
    # The child has its own session, so that a terminal's Ctrl-C reaches it only once, through this process.
    os.setsid()
    for number in _STOPS:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    execute_from_command_line(["manage.py", *child.arguments])


def _stop_with_parent() -> None:
    """Send SIGTERM to this process when its parent ends, even if the parent was killed."""
    parent = parent_process()
    assert parent
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


class Supervisor:
    """Runs children until one ends, a stop signal arrives, or the parent process has ended.

    `grace`: seconds from the stop signal to the kill.
    """

    def __init__(self, *, grace: float) -> None:
        self._grace = grace
        # Not an Event: a second signal would wait for its lock within the first signal's handler.
        self._is_asked = False
        self._parent = os.getppid()
        for number in _STOPS:
            signal.signal(number, self._ask)

    def _ask(self, _number: int, _frame: object) -> None:
        self._is_asked = True

    def finish(self, child: Child) -> int:
        """Run a child to its end; return its exit code, 130 if it was stopped."""
        ended = self._until_one_ends({child: _start(child)})
        return ended[1] if ended else 128 + signal.SIGINT

    def serve(self, children: Sequence[Child], *, on_start: Callable[[], None]) -> int:
        """Run children side by side; return 1 if one of them ended unexpectedly, else 0.

        `on_start`: called in a thread once all are started.
        """
        running = {child: _start(child) for child in children}
        # Threads may start only after the last fork.
        threading.Thread(target=on_start, daemon=True).start()
        ended = self._until_one_ends(running)
        if ended:
            sys.stderr.write(f"The {ended[0].name} ended unexpectedly: see its last lines above.\n")
        return 1 if ended else 0

    def _until_one_ends(self, running: dict[Child, BaseProcess]) -> tuple[Child, int] | None:
        ended: tuple[Child, int] | None = None
        while ended is None and os.getppid() == self._parent and not self._is_asked:
            wait([process.sentinel for process in running.values()], _LOOKS_EVERY)
            codes = {child: process.exitcode for child, process in running.items()}
            ended = next(((child, code) for child, code in codes.items() if code is not None), None)
        _stop(running, self._grace)
        return ended


def _stop(running: dict[Child, BaseProcess], grace: float) -> None:
    for child, process in running.items():
        if process.is_alive():
            os.kill(_pid(process), child.stop_signal)
    deadline = time.monotonic() + grace
    for process in running.values():
        process.join(max(0.0, deadline - time.monotonic()))
        _kill_session(process)


def _kill_session(process: BaseProcess) -> None:
    """Kill the whole session, including a worker whose own parent was killed."""
    with suppress(ProcessLookupError):
        os.killpg(_pid(process), signal.SIGKILL)
    process.kill()
    process.join()


def _pid(process: BaseProcess) -> int:
    assert process.pid, "not started"
    return process.pid
