import logging
import runpy
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from threading import Barrier, Event

import pytest
from django.conf import LazySettings
from huey import Huey

from core import queue_file
from core.queue_file import FileHuey, QueueFile
from core.queues import Queue

NOISE = bytes(range(7, 207)) * 100


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "queue.sqlite3"


def open_queue(file: Path) -> Huey:
    """Open the queue as a process does that has just started."""
    return FileHuey("test", filename=str(file), timeout=0.2)


def put(queue: Huey) -> None:
    queue.storage.enqueue(b"hint")


def aside(file: Path) -> Path:
    return file.with_name("queue.sqlite3.damaged")


def damage(file: Path) -> None:
    """Write over the file and what its log has, as a fault of the disk would."""
    for each in (file, file.with_name("queue.sqlite3-wal")):
        with each.open("r+b") as target:
            target.write(NOISE * (each.stat().st_size // len(NOISE) + 1))


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the file as a process does that needs it for itself."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        yield


@pytest.mark.parametrize("trouble", ["damaged", "locked"])
def test_the_shop_and_its_commands_start_whatever_is_wrong_with_the_file(
    file: Path, trouble: str, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATA_DIR", str(file.parent))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file.parent}/shop.sqlite3")
    started = runpy.run_path(str(settings.BASE_DIR / "site" / "config" / "settings.py"))
    settings.QUEUE_STORE = started["QUEUE_STORE"]
    before = NOISE if trouble == "damaged" else b""
    file.write_bytes(before)
    with locked(file) if trouble == "locked" else nullcontext():
        Queue("test", workers=1)
        assert file.read_bytes() == before


@pytest.mark.parametrize("size", [100, 20_000])
def test_a_damaged_file_is_set_aside_when_it_is_first_used(
    file: Path, size: int, caplog: pytest.LogCaptureFixture
) -> None:
    noise, log = NOISE[:size], file.with_name("queue.sqlite3-wal")
    file.write_bytes(noise)
    log.write_bytes(b"log")
    queue = open_queue(file)
    assert file.read_bytes() == noise
    put(queue)
    assert queue.pending_count() == 1
    assert aside(file).read_bytes() == noise
    assert aside(file).with_name("queue.sqlite3.damaged-wal").read_bytes() == b"log"
    [record] = caplog.records
    assert (record.levelno, str(file) in record.getMessage()) == (logging.ERROR, True)


def test_of_damaged_files_the_last_one_is_kept(file: Path) -> None:
    for noise in (NOISE, NOISE[::-1]):
        queue = open_queue(file)
        file.write_bytes(noise)
        put(queue)
        queue.storage.close()
    assert aside(file).read_bytes() == NOISE[::-1]
    assert {each.name for each in file.parent.iterdir()} == {
        "queue.sqlite3",
        "queue.sqlite3-turn",
        "queue.sqlite3.damaged",
    }


def test_damage_in_a_table_is_found_when_it_is_read(file: Path) -> None:
    queue = open_queue(file)
    put(queue)
    queue.storage.close()
    with file.open("r+b") as target:
        # The first page, which names the tables, is whole.
        target.seek(4096)
        target.write(NOISE * 4)
    with pytest.raises(sqlite3.DatabaseError, match="malformed"):
        queue.pending_count()
    assert queue.pending_count() == 0
    assert aside(file).exists()


def test_a_file_that_is_damaged_in_use_is_begun_anew_for_all_processes(file: Path) -> None:
    first, second = open_queue(file), open_queue(file)
    put(first)
    put(second)
    damage(file)
    # As another process that reads the file again.
    third = open_queue(file)
    put(third)
    put(first)
    put(second)
    assert [queue.pending_count() for queue in (first, second, third)] == [3, 3, 3]


def test_a_file_that_was_deleted_in_use_is_begun_anew(file: Path) -> None:
    first, second = open_queue(file), open_queue(file)
    put(first)
    for each in file.parent.glob("queue.sqlite3*"):
        each.unlink()
    put(first)
    assert second.pending_count() == 1
    assert not aside(file).exists()


def test_a_file_that_is_locked_is_not_set_aside(file: Path) -> None:
    queue = open_queue(file)
    put(queue)
    queue.storage.close()
    with locked(file), pytest.raises(sqlite3.OperationalError, match="locked"):
        put(queue)
    put(queue)
    assert queue.pending_count() == 2
    assert not aside(file).exists()


def test_a_file_on_a_full_disk_is_not_set_aside(file: Path) -> None:
    queue = open_queue(file)
    put(queue)
    queue.storage.conn.execute("PRAGMA max_page_count=1")
    with pytest.raises(sqlite3.OperationalError, match="full"):
        queue.storage.enqueue(NOISE)
    assert queue.pending_count() == 1
    assert not aside(file).exists()


def start_at_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Start two processes beside a damaged file; who is second to set it aside waits for the first hint.

    Returns how many of their two hints are left.
    """
    file.write_bytes(NOISE)
    slow, first_is_in = list[int](), Event()

    def log_slowly(*_arguments: object) -> None:
        slow.append(1)
        if len(slow) > 1:
            assert first_is_in.wait(20)

    def start() -> None:
        put(open_queue(file))
        first_is_in.set()

    monkeypatch.setattr(queue_file.log, "error", log_slowly)
    with ThreadPoolExecutor(2) as pool:
        for started in [pool.submit(start) for _ in range(2)]:
            started.result(20)
    left: int = open_queue(file).pending_count()
    return left


def test_processes_that_start_at_once_set_a_damaged_file_aside_once(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start_at_once(file, monkeypatch) == 2
    assert aside(file).read_bytes() == NOISE


def test_control_without_turns_and_comparison_the_new_file_is_set_aside(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening, both_have_seen_it = QueueFile._open, Barrier(2)

    def open_beside_the_other(queue: QueueFile) -> sqlite3.Connection:
        try:
            return opening(queue)
        except sqlite3.DatabaseError:
            both_have_seen_it.wait(20)
            raise

    monkeypatch.setattr(QueueFile, "_open", open_beside_the_other)
    monkeypatch.setattr(QueueFile, "_turn", lambda _queue: nullcontext())
    monkeypatch.setattr(QueueFile, "_identity", lambda _queue: None)
    assert start_at_once(file, monkeypatch) == 1
    assert aside(file).read_bytes() != NOISE
