import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any, Self
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection, transaction
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from django.utils import timezone

from core.audit import snapshot
from core.database_errors import NoTurnError
from core.database_limits import limit_task, limit_waiting
from core.models import Lease
from core.sqlite import turns
from core.table_sizes import note_table_sizes
from core.tests.test_transactions import GivenUpError
from core.tests.threads import concurrently
from core.transactions import in_transaction

pytestmark = [
    pytest.mark.both_databases,
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


@pytest.fixture
def database() -> str:
    """The path of the database."""
    return str(connection.settings_dict["NAME"])


def wait_for_a_turn(settings: LazySettings, seconds: float) -> None:
    """Let writers wait so long for their turn."""
    settings.DATABASE_LIMITS = {**settings.DATABASE_LIMITS, "request": {"lock": seconds}}
    limit_waiting("request")


def update() -> None:
    """Write outside any transaction."""
    Lease.objects.filter(name="nobody").update(holder=uuid4())


def update_by_a_statement() -> None:
    """Write outside any transaction by a statement that begins with a line break."""
    with connection.cursor() as cursor:
        cursor.execute("\n    UPDATE core_lease SET name = name")


def save() -> None:
    """Write in a transaction of its own."""
    with transaction.atomic():
        update()


def test_a_retry_waits_for_its_turn_as_the_first_run_does(settings: LazySettings) -> None:
    wait_for_a_turn(settings, 0.05)
    runs: list[object] = []

    def write_too(_number: int) -> str:
        try:
            save()
        except NoTurnError:
            return "no turn"
        return "ok"

    @in_transaction
    def work() -> None:
        runs.extend(concurrently(write_too, [0]))
        if len(runs) == 1:
            raise OperationalError from GivenUpError("40P01")

    work()
    assert runs == ["no turn", "no turn"]
    assert write_too(0) == "ok"


@pytest.mark.parametrize("write", [save, update])
def test_the_wait_for_a_turn_shortens_the_wait_for_those_who_take_none(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, write: Callable[[], None]
) -> None:
    wait_for_a_turn(settings, 2)

    class Clock:
        times = iter([0.0, 1.5])
        monotonic = times.__next__

    monkeypatch.setattr(turns, "time", Clock)
    limits: list[int] = []
    execute = SQLiteCursorWrapper.execute

    def milliseconds() -> int:
        return int(connection.connection.execute("PRAGMA busy_timeout").fetchone()[0])

    def note_limit(cursor: SQLiteCursorWrapper, *arguments: Any) -> Any:
        limits.append(milliseconds())
        return execute(cursor, *arguments)

    monkeypatch.setattr(SQLiteCursorWrapper, "execute", note_limit)
    write()
    assert limits[0] == 500
    assert milliseconds() == 2000


@pytest.mark.parametrize("write", [save, update, update_by_a_statement, note_table_sizes])
@pytest.mark.parametrize("file", ["turn", "next"])
def test_a_process_waits_for_the_turn_of_another_until_its_limit(
    settings: LazySettings, database: str, file: str, write: Callable[[], None]
) -> None:
    wait_for_a_turn(settings, 0.05)
    with Path(f"{database}-{file}").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(NoTurnError):
            write()
        # Who reads waits for nobody.
        assert not Lease.objects.exists()
        with snapshot():
            assert not Lease.objects.exists()
    write()


def test_a_limit_of_0_waits_without_end(settings: LazySettings) -> None:
    wait_for_a_turn(settings, 0)
    with Crowd():
        save()
        update()


def test_the_turn_ends_with_the_transaction_before_what_follows_its_commit(database: str) -> None:
    def may_write() -> bool:
        with Path(f"{database}-turn").open() as other:
            try:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    seen: list[bool] = []
    with transaction.atomic():
        transaction.on_commit(lambda: seen.append(may_write()))
        update()
        with transaction.atomic():
            update()
        seen.append(may_write())
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        raise ZeroDivisionError
    seen.append(may_write())
    with transaction.atomic():
        connection.close()
        seen.append(may_write())
    assert seen == [False, True, True, True]


def test_new_files_of_turns_have_the_owner_and_the_mode_of_the_database(database: str) -> None:
    files = [Path(f"{database}-{name}") for name in ("next", "turn")]
    for file in files:
        file.unlink(missing_ok=True)
    owner = 65534 if os.geteuid() == 0 else os.geteuid()
    before = os.stat(database)
    os.chown(database, owner, -1)
    os.chmod(database, 0o664)
    try:
        save()
        assert [(each.stat().st_uid, stat.S_IMODE(each.stat().st_mode)) for each in files] == [
            (owner, 0o664)
        ] * 2
    finally:
        os.chown(database, before.st_uid, -1)
        os.chmod(database, stat.S_IMODE(before.st_mode))
        for file in files:
            file.unlink()


@pytest.mark.parametrize("name", ["next", "turn"])
def test_whoever_cannot_use_the_files_of_turns_writes_without(database: str, name: str) -> None:
    file = Path(f"{database}-{name}")
    file.unlink(missing_ok=True)
    # Nobody may write into a folder as a file, not even root.
    file.mkdir()
    try:
        Lease.objects.create(name="somebody", holder=uuid4(), ends_at=timezone.now())
    finally:
        file.rmdir()
    assert Lease.objects.count() == 1


class Crowd:
    """Threads of this process that write one after the other, while the block runs."""

    def __init__(self, threads: int = 4) -> None:
        self.turns = 0
        self._is_over = Event()
        self._threads = [Thread(target=self._write) for _ in range(threads)]

    def _write(self) -> None:
        while not self._is_over.is_set():
            with transaction.atomic():
                time.sleep(TURN_SECONDS)
                self.turns += 1
        connection.close()

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()


def test_a_process_whose_threads_follow_each_other_lets_the_others_write_too(database: str) -> None:
    own = 20

    def write_as_another_process() -> None:
        for _ in range(own):
            # The queue of threads is that of one process, and what is behind it keeps processes apart.
            with turns._turn_of_process(database, time.monotonic() + 20):
                time.sleep(TURN_SECONDS)

    with Crowd() as crowd:
        write_as_another_process()
    # One for each of the other's; a slow machine may miss some.
    assert own / 4 <= crowd.turns <= own * 4


@pytest.mark.parametrize("write", [save, update])
def test_who_writes_once_has_a_turn_among_those_who_write_all_the_time(write: Callable[[], None]) -> None:
    missed = 0
    with Crowd() as crowd:
        for _ in range(10):
            before = crowd.turns
            write()
            missed += crowd.turns - before
    # Each time one for each thread of the crowd, or some more where a busy machine lets this one stand still.
    # Without turns it was kept out until the crowd paused by chance, after up to 1,600 of them at one time.
    assert missed <= 200
