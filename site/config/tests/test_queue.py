from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from huey import Huey, PostgresHuey, SqliteHuey

from core.queues import books

ADDRESS = {"dbname", "user", "password", "host", "port"}


@pytest.fixture
def queue(tmp_path: Path, transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Huey:
    """A queue as the settings choose it for the database, before its migration."""
    if connection.vendor == "sqlite":
        queue: Huey = SqliteHuey("test", filename=str(tmp_path / "queue.sqlite3"))
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
