import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.db import connection, connections
from django.utils.module_loading import autodiscover_modules
from huey import Huey, PostgresHuey, SqliteHuey

from config.front_end import worker_pools
from config.front_end.worker_pools import WorkerPool
from config.management.commands.consume import IdleConsumer
from core.due_rows import MAX_SECONDS_AT_NIGHT
from core.queues import QUEUES, books

pytestmark = pytest.mark.both_databases

SECONDS = 10
A_MINUTE = timedelta(minutes=1)
ADDRESS = {"dbname", "user", "password", "host", "port"}


@pytest.fixture
def queue(tmp_path: Path, transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Huey:
    """A queue as the settings choose it for the database, before its migration."""
    if connection.vendor == "sqlite":
        queue: Huey = SqliteHuey("test", filename=str(tmp_path / "queue.sqlite3"), create_tables=False)
    else:
        facts = connection.get_connection_params()
        queue = PostgresHuey(
            "test",
            create_tables=False,
            table_prefix="fresh",
            **{
                name: facts[name]
                for name in ("dbname", "user", "password", "host", "port")
                if facts.get(name)
            },
        )
    monkeypatch.setattr(books, "huey", queue)
    return queue


def test_the_queue_stores_tasks_once_the_database_is_migrated(queue: Huey) -> None:
    call_command("migrate", verbosity=0)
    done: list[str] = []
    queue.task()(done.append)("now")
    assert queue.pending_count() == 1
    queue.execute(queue.dequeue())
    assert done == ["now"]
    queue.put("noted", 1)
    assert queue.get("noted", peek=True) == 1


def test_a_worker_without_a_task_has_no_database_connection(queue: Huey) -> None:
    call_command("migrate", verbosity=0)
    opened = []

    def work() -> None:
        connection.ensure_connection()
        opened.append(connections["default"])

    task = queue.task()(work)
    task()
    [(worker, _)] = IdleConsumer(queue, workers=1).worker_threads
    with ThreadPoolExecutor(1) as thread:
        thread.submit(worker.loop).result(SECONDS)
        assert opened[0].connection
        thread.submit(worker.loop).result(2 * SECONDS)
        assert not opened[0].connection
        # The queue itself is still open, and the next task finds a database.
        task()
        thread.submit(worker.loop).result(SECONDS)
        assert opened[1].connection
        thread.submit(connections.close_all).result(SECONDS)


async def _run_and_wait(pool: WorkerPool, opened: list[Any]) -> None:
    def work() -> None:
        connection.ensure_connection()
        opened.append(connections["default"])
        QUEUES["messages"].huey.put("noted", 1)

    pool.start(asyncio.get_running_loop())
    await pool.run(work)
    async with asyncio.timeout(SECONDS):
        while opened[0].connection:
            await asyncio.sleep(0.01)
    pool.stop()


def test_a_thread_without_a_request_for_a_minute_has_no_database_connection(
    queue: Huey, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("migrate", verbosity=0)
    monkeypatch.setattr(worker_pools, "IDLE_SECONDS", 0.2)
    monkeypatch.setattr(QUEUES["messages"], "huey", queue)
    opened: list[Any] = []
    asyncio.run(_run_and_wait(WorkerPool("test", threads=1, wait_seconds=1), opened))
    assert queue.storage._conn is None


@pytest.mark.parametrize("zone", ["Australia/Perth", "Australia/Sydney"])
def test_what_runs_once_a_day_runs_at_the_shops_night_and_one_after_the_other(
    settings: LazySettings, zone: str
) -> None:
    settings.TIME_ZONE = zone
    autodiscover_modules("tasks")
    # The consumers ask by UTC, without a zone.
    day = [datetime(2027, 1, 4) + n * A_MINUTE for n in range(24 * 60)]
    runs = [
        (task.name, at) for at in day for queue in QUEUES.values() for task in queue.huey.read_periodic(at)
    ]
    times = Counter(name for name, _ in runs)
    nightly = sorted(at for name, at in runs if times[name] == 1)
    offset = timedelta(hours=8) if zone == "Australia/Perth" else timedelta(hours=11)
    assert len(nightly) > 10
    assert {(at + offset).hour for at in nightly} <= {3, 4, 5, 6, 7}
    longest = timedelta(seconds=MAX_SECONDS_AT_NIGHT)
    assert all(after - before >= longest for before, after in pairwise(nightly))
