"""Runs tests against mutants: everything is loaded once, each mutant has a fork of its own.

A pytest plugin, which collects the tests and then runs those of each mutant that reach its fault, until one
fails.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

import coverage
import pytest
from django.db import connection

from tools.mutants.loading import load
from tools.mutants.making import Mutant

# A mutant's tests may take this many times what they take without it: others want the processor too.
SLOWER = 10
SECONDS_MORE = 30
# Of the tests that reach a fault, only some are run, by their duration without it. A fault that none of them
# notices counts as not noticed: trying all would take minutes for each fault that every order passes.
MOST_SECONDS = 30
PASSED, FAILED = 0, 1
_POLL_SECONDS = 0.01


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: the test that noticed it, or why that is known without one; empty for none."""

    mutant: Mutant
    noticed_by: str


@dataclass
class _Work:
    """A process that works for the plugin, in a folder of its own."""

    pid: int
    folder: Path
    mutant: Mutant
    ends_at: float


@dataclass
class _Reached:
    """The result of a run without mutants: which tests run a line, and their seconds of the processor."""

    tests_by_line: Mapping[tuple[str, int], frozenset[str]]
    tests_by_path: Mapping[str, frozenset[str]]
    seconds: Mapping[str, float]

    def tests_of(self, mutant: Mutant) -> frozenset[str]:
        """Return the tests that reach the fault; for one that takes effect on loading, all of its file."""
        if not mutant.lines:
            return self.tests_by_path.get(mutant.path, frozenset())
        none: frozenset[str] = frozenset()
        return none.union(*(self.tests_by_line.get((mutant.path, line), none) for line in mutant.lines))


@dataclass
class MutantRun:
    """The plugin: tries every mutant and hands over what became of it.

    `modules`: the name of the module of each path, for all files that mutants are made of.
    """

    root: Path
    modules: Mapping[str, str]
    mutants: Sequence[Mutant]
    jobs: int
    done: Callable[[Verdict], None]
    _noticed: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests once without a mutant, then those of each mutant."""
        if session.testsfailed:
            raise pytest.UsageError("the tests cannot be collected")
        # The settings are known only now. Its slowest part is remembered, for every fork.
        from tests import databases

        databases.template_key()
        with tempfile.TemporaryDirectory(prefix="shop-mutants-") as folder:
            reached = self._run_without_mutants(session, Path(folder))
            self._run_all(session, reached, Path(folder))
        return True

    def _run_without_mutants(self, session: pytest.Session, folder: Path) -> _Reached:
        """Load every file again as it is, and run all tests: a failure would not come from a mutant."""
        own = folder / "without"

        def work() -> int:
            for path, module in self.modules.items():
                load(module, (self.root / path).read_text("utf-8"))
            reached = self._measure(session)
            (own / "reached.json").write_text(json.dumps(reached))
            return FAILED if reached is None else PASSED

        pid = _fork(own, work)
        _, status = os.waitpid(pid, 0)
        if status != PASSED:
            output = (own / "output").read_text("utf-8", "replace")
            raise pytest.UsageError(f"{output[-20_000:]}\nThe tests fail without a mutant.")
        found = json.loads((own / "reached.json").read_text("utf-8"))
        by_path: dict[str, set[str]] = defaultdict(set)
        for path, _line, tests in found["lines"]:
            by_path[path] |= set(tests)
        return _Reached(
            {(path, line): frozenset(tests) for path, line, tests in found["lines"]},
            {path: frozenset(tests) for path, tests in by_path.items()},
            found["seconds"],
        )

    def _measure(self, session: pytest.Session) -> dict[str, object] | None:
        files = [str(self.root / path) for path in self.modules]
        tracer = coverage.Coverage(data_file=None, config_file=False, include=files)
        seconds: dict[str, float] = {}
        failed: list[str] = []
        tracer.start()
        try:
            for item, following in _with_following(session.items):
                started = time.process_time()
                tracer.switch_context(item.nodeid)
                before = session.testsfailed
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed > before:
                    failed.append(item.nodeid)
                seconds[item.nodeid] = time.process_time() - started
        finally:
            tracer.stop()
        if failed:
            print(*failed, sep="\n")
            return None
        data = tracer.get_data()
        lines = [
            (str(Path(file).relative_to(self.root)), line, sorted(filter(None, tests)))
            for file in data.measured_files()
            for line, tests in data.contexts_by_lineno(file).items()
        ]
        return {"lines": lines, "seconds": seconds}

    def _run_all(self, session: pytest.Session, reached: _Reached, folder: Path) -> None:
        waiting = list(reversed(self.mutants))
        running: list[_Work] = []
        number = 0
        try:
            while waiting or running:
                while waiting and len(running) < self.jobs:
                    mutant, number = waiting.pop(), number + 1
                    items = self._chosen(session.items, reached, mutant)
                    if items:
                        limit = SECONDS_MORE + SLOWER * sum(reached.seconds[item.nodeid] for item in items)
                        running.append(self._start(session, mutant, items, folder / str(number), limit))
                    else:
                        self.done(Verdict(mutant, ""))
                running = [work for work in running if not self._has_ended(work)]
                time.sleep(_POLL_SECONDS)
        finally:
            for work in running:
                _end(work)

    def _chosen(
        self, items: Iterable[pytest.Item], reached: _Reached, mutant: Mutant
    ) -> Sequence[pytest.Item]:
        """Return a mutant's tests, as many as begin within MOST_SECONDS.

        What noticed others of its function comes first, then those of its app, then the quick ones. What
        commits comes last of all, since it empties the tables.
        """
        wanted = reached.tests_of(mutant)
        noticed = self._noticed[mutant.path, mutant.function]
        app = "/".join(mutant.path.split("/")[:2])

        def place(item: pytest.Item) -> tuple[bool, int, bool, float]:
            seconds = reached.seconds[item.nodeid]
            return _commits(item), -noticed[item.nodeid], not item.nodeid.startswith(app), seconds

        chosen = sorted((item for item in items if item.nodeid in wanted), key=place)
        begins = accumulate((reached.seconds[item.nodeid] for item in chosen), initial=0.0)
        return [item for item, begin in zip(chosen, begins, strict=False) if begin < MOST_SECONDS]

    def _start(
        self,
        session: pytest.Session,
        mutant: Mutant,
        items: Sequence[pytest.Item],
        folder: Path,
        seconds: float,
    ) -> _Work:
        def work() -> int:
            try:
                load(self.modules[mutant.path], mutant.source)
            except Exception as error:
                (folder / "noticed").write_text(f"cannot be loaded: {type(error).__name__}")
                return FAILED
            for item, following in _with_following(items):
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    (folder / "noticed").write_text(item.nodeid)
                    return FAILED
            return PASSED

        return _Work(_fork(folder, work), folder, mutant, time.monotonic() + seconds)

    def _has_ended(self, work: _Work) -> bool:
        pid, status = os.waitpid(work.pid, os.WNOHANG)
        if not pid and time.monotonic() < work.ends_at:
            return False
        if not pid:
            os.kill(work.pid, signal.SIGKILL)
            os.waitpid(work.pid, 0)
            noticed = "runs for too long"
        elif status == PASSED:
            noticed = ""
        else:
            note = work.folder / "noticed"
            noticed = note.read_text("utf-8") if note.exists() else f"ends its process: {status}"
            self._noticed[work.mutant.path, work.mutant.function][noticed] += 1
        shutil.rmtree(work.folder, ignore_errors=True)
        self.done(Verdict(work.mutant, noticed))
        return True


def _fork(folder: Path, work: Callable[[], int]) -> int:
    """Let a copy of this process work, with a test database and an output of its own; returns its id."""
    folder.mkdir()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 2
    try:
        output = os.open(folder / "output", os.O_WRONLY | os.O_CREAT)
        os.dup2(output, 1)
        os.dup2(output, 2)
        connection.settings_dict["TEST"]["NAME"] = str(folder / "test.sqlite3")
        code = work()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        # Nothing of the process it is a copy of may run at its end.
        os._exit(code)


def _end(work: _Work) -> None:
    os.kill(work.pid, signal.SIGKILL)
    os.waitpid(work.pid, 0)


def _with_following(
    items: Sequence[pytest.Item],
) -> Iterable[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


def _commits(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    return bool(mark and mark.kwargs.get("transaction"))
