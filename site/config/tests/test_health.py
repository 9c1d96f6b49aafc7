import shutil
import time
from collections import namedtuple
from datetime import datetime

import pytest
from django.db import DatabaseError
from django.test import Client

from config.health import FREE_BYTES, QUEUE_AGE_SECONDS
from config.tasks import note_beat
from core.queues import QUEUES, books, messages

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def consumer() -> None:
    """Consumers of all queues that have just started."""
    for queue in QUEUES.values():
        note_beat(queue)


def checks_of(client: Client) -> tuple[int, dict[str, str]]:
    response = client.get("/readyz")
    assert response["Cache-Control"].startswith("max-age=0, no-cache")
    return response.status_code, response.json()["checks"]


def no_answer(*_args: object, **_options: object) -> None:
    raise DatabaseError


# Without the database mark, any query of the view would fail the test.
def test_liveness_needs_no_database(client: Client) -> None:
    response = client.get("/livez")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_working_shop_is_ready(client: Client, consumer: None) -> None:
    assert checks_of(client) == (200, {"database": "ok", "migrations": "ok", "disk": "ok", "queues": "ok"})


@pytest.mark.django_db
def test_an_unreachable_database_is_not_ready(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.health.connection.cursor", no_answer)
    status, checks = checks_of(client)
    assert (status, checks["database"]) == (503, "no answer")


@pytest.mark.django_db
def test_a_pending_migration_is_not_ready(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.health.MigrationExecutor.migration_plan", lambda *_: ["one", "two"])
    status, checks = checks_of(client)
    assert (status, checks["migrations"]) == (503, "2 not applied")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("free", "total", "is_ready"),
    [
        (FREE_BYTES, FREE_BYTES * 100, True),
        (FREE_BYTES - 1, FREE_BYTES * 100, False),
        (FREE_BYTES // 2, FREE_BYTES * 5, True),
        (0, FREE_BYTES, False),
    ],
)
def test_a_full_disk_is_not_ready(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch, free: int, total: int, is_ready: bool
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(total, total - free, free))
    status, checks = checks_of(client)
    assert (status == 200) == (checks["disk"] == "ok") == is_ready


@pytest.mark.django_db
def test_one_stalled_queue_is_not_ready_until_its_beat_has_passed_through_it(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + QUEUE_AGE_SECONDS + 1)
    for queue in QUEUES.values():
        if queue is not books:
            note_beat(queue)
    status, checks = checks_of(client)
    assert (status, checks["queues"]) == (503, "books: nothing done for 301 s")
    [beat] = [task for task in books.huey.read_periodic(datetime.now()) if task.name == "beat"]
    books.huey.execute(beat)
    assert checks_of(client)[0] == 200


@pytest.mark.django_db
def test_consumers_that_never_started_are_not_ready(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages.huey.delete("last-beat")
    status, checks = checks_of(client)
    assert (status, checks["queues"]) == (503, "messages: no consumer was ever started")


@pytest.mark.django_db
def test_queues_that_cannot_be_reached_are_not_ready(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages.huey, "get", no_answer)
    status, checks = checks_of(client)
    assert (status, checks["queues"]) == (503, "messages: no answer")
