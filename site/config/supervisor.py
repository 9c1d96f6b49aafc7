"""Runs the web server and the consumers of the queues, and starts each again that ends unexpectedly."""

import logging
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

log = logging.getLogger(__name__)

# Forks share imported modules; the system libraries of macOS do not support forks.
PROCESSES = get_context("fork") if sys.platform == "linux" else get_context("spawn")
# The pause before a child is started again, which is twice as long after each further failure in a row.
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1, 60
# A child that ran this long has started well: its next failure is the first in a row.
STEADY_SECONDS = 60
_LOOKS_EVERY = 0.2
_STOPS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Child:
    """A command of manage.py that runs until its stop signal.

    `max_failures`: the failures in a row after which all children are stopped; None for no limit.
    """

    name: str
    arguments: tuple[str, ...]
    stop_signal: signal.Signals
    max_failures: int | None = None


class _Run:
    """The process of a child, and how often it has failed in a row."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.process: BaseProcess | None = None
        self._failures = 0
        # On the monotonic clock: when the process was started, or is due to be started.
        self._since = 0.0

    def look(self) -> bool:
        """Start the child if it is due, and again after a failure; return False after the last failure."""
        now = time.monotonic()
        if self.process is None:
            if now < self._since:
                return True
            try:
                self.process, self._since = _start(self.child), now
                return True
            except OSError as error:
                # The machine has no memory or no process left.
                return self._note_failure(f"could not start ({error.strerror})", now)
        if (code := self.process.exitcode) is None:
            return True
        _kill_session(self.process)
        self.process = None
        if now - self._since >= STEADY_SECONDS:
            self._failures = 0
        return self._note_failure(f"ended (exit code {code})", now)

    def _note_failure(self, what: str, now: float) -> bool:
        self._failures += 1
        if self._failures == self.child.max_failures:
            log.error("the %s %s, failure %d in a row", self.child.name, what, self._failures)
            return False
        pause = min(FIRST_PAUSE_SECONDS * 2 ** (self._failures - 1), LONGEST_PAUSE_SECONDS)
        log.error("the %s %s and starts again in %d s", self.child.name, what, pause)
        self._since = now + pause
        return True


def _start(child: Child) -> BaseProcess:
    process = PROCESSES.Process(target=_run, args=(child,))
    # Signals stay pending until the child can handle them.
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    return process


def _run(child: Child) -> None:
    # The child has its own session, so that a terminal's Ctrl-C reaches it only once, through this process.
    os.setsid()
    for number in _STOPS:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    # A consumer that gets SIGHUP starts again as this command.
    sys.argv = ["manage.py", *child.arguments]
    execute_from_command_line(sys.argv)


def _stop_with_parent() -> None:
    """Send SIGTERM to this process when its parent ends, even if the parent was killed."""
    parent = parent_process()
    assert parent
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


class Supervisor:
    """Runs children until a stop signal arrives, or one has failed too often; it logs which.

    A closed terminal (SIGHUP) does not stop them. It runs no thread, because it forks again after a failure.
    `grace`: seconds from the stop signal to the kill.
    """

    def __init__(self, *, grace: float) -> None:
        self._grace = grace
        # Not an Event: a second signal would wait for its lock within the first signal's handler.
        self._asked_by = 0
        for number in _STOPS:
            signal.signal(number, self._ask)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def _ask(self, number: int, _frame: object) -> None:
        self._asked_by = number

    def finish(self, child: Child) -> int:
        """Run a child to its end; return its exit code, 130 if it was stopped."""
        process = _start(child)
        while process.exitcode is None and not self._asked_by:
            wait([process.sentinel], _LOOKS_EVERY)
        code = 128 + signal.SIGINT if process.exitcode is None else process.exitcode
        self._stop({child: process})
        if code and not self._asked_by:
            log.error("the %s ended (exit code %d)", child.name, code)
        return code

    def serve(self, children: Sequence[Child], *, on_look: Callable[[], None]) -> int:
        """Run children side by side; return 1 if one of them has failed too often, 0 after a stop signal.

        `on_look`: called several times a second; it must not wait.
        """
        runs = [_Run(child) for child in children]
        code = 0
        while not self._asked_by and not code:
            code = int(not all(run.look() for run in runs))
            on_look()
            wait([run.process.sentinel for run in runs if run.process], _LOOKS_EVERY)
        self._stop({run.child: run.process for run in runs if run.process})
        return code

    def _stop(self, running: dict[Child, BaseProcess]) -> None:
        if self._asked_by:
            log.info("stopped by %s", signal.Signals(self._asked_by).name)
        for child, process in running.items():
            if process.is_alive():
                os.kill(_pid(process), child.stop_signal)
        deadline = time.monotonic() + self._grace
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
