import shutil
import threading
import time
from collections import namedtuple
from collections.abc import Iterator

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config import health, tasks
from config.health import FREE_BYTES, QUEUE_AGE_SECONDS

Usage = namedtuple("Usage", "total used free")


@pytest.fixture(autouse=True)
def _new_checkups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each question have checks of its own, and all the time they need."""
    monkeypatch.setattr(health, "_latest", None)
    monkeypatch.setattr(health, "FRESH_SECONDS", 0)
    monkeypatch.setattr(health, "MAX_SECONDS", 60)


@pytest.fixture
def consumer() -> None:
    """A task consumer that has just started."""
    tasks.note_start()


def checks_of(client: Client) -> tuple[int, dict[str, str]]:
    response = client.get("/readyz")
    assert response["Cache-Control"].startswith("max-age=0, no-cache")
    return response.status_code, response.json()["checks"]


# Without the database mark, any query of the view would fail the test.
def test_liveness_needs_no_database(client: Client) -> None:
    response = client.get("/livez")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_working_shop_is_ready(client: Client, consumer: None) -> None:
    assert checks_of(client) == (200, {"database": "ok", "migrations": "ok", "disk": "ok", "queue": "ok"})


@pytest.mark.django_db
def test_an_unreachable_database_is_not_ready_until_it_is_back(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_self: object) -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(BaseDatabaseWrapper, "connect", gone)
        status, checks = checks_of(client)
    assert (status, checks["database"], checks["migrations"]) == (503, "no answer", "unknown")
    assert checks_of(client)[0] == 200


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let the database hang until the event is set."""
    back = threading.Event()
    was = BaseDatabaseWrapper.connect

    def hang(self: BaseDatabaseWrapper) -> None:
        back.wait(60)
        was(self)

    monkeypatch.setattr(BaseDatabaseWrapper, "connect", hang)
    yield back
    back.set()


@pytest.mark.django_db
def test_a_database_that_hangs_is_not_ready_until_it_answers(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch, silence: threading.Event
) -> None:
    monkeypatch.setattr(health, "MAX_SECONDS", 0.05)
    threads = threading.active_count()
    for _ in range(20):
        status, checks = checks_of(client)
        assert status == 503
        assert {name for name, answer in checks.items() if answer == "no answer"} >= {"database", "queue"}
    assert threading.active_count() == threads + 1
    silence.set()
    monkeypatch.setattr(health, "MAX_SECONDS", 60)
    assert checks_of(client)[0] == 200


@pytest.mark.django_db
def test_a_flood_of_questions_is_one_for_the_database(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def ask() -> str:
        asked.append(True)
        return ""

    monkeypatch.setattr(health, "FRESH_SECONDS", 60)
    monkeypatch.setattr(health, "CHECKS", {"database": ask})
    assert [checks_of(client)[0] for _ in range(20)] == [200] * 20
    assert len(asked) == 1
    monkeypatch.setattr(health, "FRESH_SECONDS", 0)
    checks_of(client)
    assert len(asked) == 2


@pytest.mark.django_db
def test_a_check_that_fails_leaves_the_others_their_answer(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OSError

    monkeypatch.setattr(shutil, "disk_usage", fail)
    status, checks = checks_of(client)
    assert (status, checks) == (
        503,
        {"database": "ok", "migrations": "ok", "disk": "no answer", "queue": "ok"},
    )


@pytest.mark.django_db(transaction=True)
def test_a_pending_migration_is_not_ready(client: Client, consumer: None) -> None:
    first = MigrationRecorder.Migration.objects.order_by("-pk")[0]
    MigrationRecorder.Migration.objects.filter(pk=first.pk).delete()
    try:
        status, checks = checks_of(client)
        assert (status, checks["migrations"]) == (503, "1 not applied")
    finally:
        first.save(force_insert=True)
    assert checks_of(client)[0] == 200


@pytest.mark.django_db
def test_the_migrations_on_disk_are_read_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    checks_of(client)
    monkeypatch.setattr(health, "MigrationLoader", None)
    assert checks_of(client)[1]["migrations"] == "ok"


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
