import shutil
import time
from collections import namedtuple

import pytest
from django.db import DatabaseError
from django.test import Client

from config import tasks
from config.health import FREE_BYTES, QUEUE_AGE_SECONDS

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def consumer() -> None:
    """A task consumer that has just started."""
    tasks.note_start()


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
    assert checks_of(client) == (200, {"database": "ok", "migrations": "ok", "disk": "ok", "queue": "ok"})


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
def test_a_stalled_queue_is_not_ready(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + QUEUE_AGE_SECONDS + 1)
    status, checks = checks_of(client)
    assert status == 503
    assert checks["queue"].startswith("nothing done for")
    tasks.beat()
    assert checks_of(client)[0] == 200


@pytest.mark.django_db
def test_a_consumer_that_never_started_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.health.queue_age", lambda: None)
    status, checks = checks_of(client)
    assert (status, checks["queue"]) == (503, "no task consumer was ever started")
