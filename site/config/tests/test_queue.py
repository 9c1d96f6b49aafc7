from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.db import connection
from django.utils.module_loading import autodiscover_modules
from huey import Huey, PostgresHuey, SqliteHuey

from core.due_rows import MAX_SECONDS_AT_NIGHT
from core.queues import QUEUES, books

pytestmark = pytest.mark.both_databases

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
    assert {(at + offset).hour for at in nightly} <= {3, 4, 5, 6}
    longest = timedelta(seconds=MAX_SECONDS_AT_NIGHT)
    assert all(after - before >= longest for before, after in pairwise(nightly))
