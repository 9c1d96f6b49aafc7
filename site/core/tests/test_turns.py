import fcntl
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection

from core import turns
from core.database_errors import NoTurnError
from core.database_limits import limit_task, limit_waiting
from core.tests.test_transactions import GivenUpError
from core.tests.threads import at_once
from core.transactions import in_transaction

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's writers need no turn"),
]

# A turn that lasts as long as an order.
TURN_SECONDS = 0.02


@pytest.fixture(autouse=True)
def limits_of_tasks() -> Iterator[None]:
    """Give the connections the limits of tests again."""
    yield
    limit_task()


def wait_for_a_turn(settings: LazySettings, seconds: float) -> None:
    """Let writers wait so long for their turn."""
    settings.DATABASE_LIMITS = {**settings.DATABASE_LIMITS, "request": {"lock": seconds}}
    limit_waiting("request")


def test_a_retry_waits_for_its_turn_as_the_first_run_does(settings: LazySettings) -> None:
    wait_for_a_turn(settings, 0.05)
    runs: list[object] = []

    @in_transaction
    def write() -> None:
        """Write nothing."""

    def write_too(_number: int) -> str:
        try:
            write()
        except NoTurnError:
            return "no turn"
        return "ok"

    @in_transaction
    def work() -> None:
        runs.extend(at_once(write_too, [0]))
        if len(runs) == 1:
            raise OperationalError from GivenUpError("40P01")

    work()
    assert runs == ["no turn", "no turn"]
    assert write_too(0) == "ok"


def test_the_wait_for_other_threads_shortens_the_wait_for_other_processes(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_a_turn(settings, 2)
    waited_for_its_turn = iter([0.0, 1.5])
    monkeypatch.setattr(turns, "time", SimpleNamespace(monotonic=waited_for_its_turn.__next__))

    def milliseconds() -> int:
        with connection.cursor() as cursor:
            return int(cursor.execute("PRAGMA busy_timeout").fetchone()[0])

    assert in_transaction(milliseconds)() == 500
    assert milliseconds() == 2000


@pytest.mark.parametrize("file", ["turn", "next"])
def test_a_process_waits_for_the_turn_of_another_until_its_limit(settings: LazySettings, file: str) -> None:
    wait_for_a_turn(settings, 0.05)
    write = in_transaction(lambda: "written")
    with Path(f"{connection.settings_dict['NAME']}-{file}").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(NoTurnError):
            write()
    assert write() == "written"


def write_in_turns(during: Event) -> int:
    """Write all the time in four threads until an event; returns how many turns they had."""
    counts: list[int] = []

    def write() -> None:
        while not during.is_set():
            with turns.turn_to_write():
                time.sleep(TURN_SECONDS)
                counts.append(1)
        connection.close()

    threads = [Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(counts)


def test_a_process_whose_threads_follow_each_other_lets_the_others_write_too() -> None:
    own, is_over = 20, Event()

    def write_as_another_process() -> None:
        for _ in range(own):
            # The queue of threads is that of one process, and what is behind it keeps processes apart.
            with turns._turn_of_process(time.monotonic() + 20, is_ours=False):
                time.sleep(TURN_SECONDS)
        connection.close()
        is_over.set()

    other = Thread(target=write_as_another_process)
    other.start()
    of_the_crowd = write_in_turns(is_over)
    other.join()
    # One for each of the other's; a slow machine may miss some.
    assert own / 4 <= of_the_crowd <= own * 4
