import shutil
import threading
import time
from collections import namedtuple
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config import health
from config.health import FREE_BYTES, QUEUE_AGE_SECONDS
from config.tasks import note_beat
from core import data_mark
from core.queues import QUEUES, books, messages

Usage = namedtuple("Usage", "total used free")


@pytest.fixture(autouse=True)
def _new_checkups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each question have checks of its own, and all the time they need."""
    monkeypatch.setattr(health, "_latest", None)
    monkeypatch.setattr(health, "_failing", frozenset())
    monkeypatch.setattr(health, "FRESH_SECONDS", 0)
    monkeypatch.setattr(health, "MAX_SECONDS", 60)


@pytest.fixture
def consumer(db: None) -> None:
    """Consumers of all queues that have just started, and the database."""
    for queue in QUEUES.values():
        note_beat(queue)


def checks_of(client: Client) -> tuple[int, dict[str, str]]:
    response = client.get("/readyz")
    assert response["Cache-Control"].startswith("max-age=0, no-cache")
    return response.status_code, response.json()["checks"]


def no_answer(*_args: object, **_options: object) -> None:
    raise OperationalError


# Without the database mark, any query of the view would fail the test.
def test_liveness_needs_no_database(client: Client) -> None:
    response = client.get("/livez")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_a_working_shop_is_ready(client: Client, consumer: None) -> None:
    assert checks_of(client) == (200, dict.fromkeys(health.CHECKS, "ok"))


@pytest.mark.parametrize("host", ["192.0.2.7:8000", "[2001:db8::7]", "not a host", ""])
def test_the_health_checks_answer_for_any_host(client: Client, consumer: None, host: str) -> None:
    for path in ("/livez", "/readyz"):
        assert client.get(path, headers={"Host": host}).status_code == 200
    assert client.get("/shop", headers={"Host": host}).status_code == 400


def test_only_changes_of_health_are_logged(
    client: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"disk": "", "database": ""}

    def check(name: str) -> str:
        if found[name] == "a fault":
            raise ValueError
        return found[name]

    monkeypatch.setattr(health, "CHECKS", {name: partial(check, name) for name in found})
    caplog.set_level("INFO")
    logged = []
    for disk, database in [
        ("", ""),
        ("", "no answer"),
        ("", "no answer"),
        ("1 MiB free", "no answer"),
        ("0 MiB free", "no answer"),
        ("0 MiB free", "a fault"),
        ("", ""),
        ("", ""),
        ("a fault", ""),
        ("a fault", ""),
    ]:
        caplog.clear()
        found.update(disk=disk, database=database)
        checks_of(client)
        logged.append([(each.levelname, each.message) for each in caplog.records])
    assert logged == [
        [],
        [("ERROR", "not ready: database: no answer")],
        [],
        [("ERROR", "not ready: database: no answer; disk: 1 MiB free")],
        [],
        [],
        [("INFO", "ready again")],
        [],
        [("ERROR", "the check of the disk failed"), ("ERROR", "not ready: disk: no answer")],
        [],
    ]


def test_an_unreachable_database_is_not_ready_until_it_is_back(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(BaseDatabaseWrapper, "connect", no_answer)
        status, checks = checks_of(client)
    assert (status, checks["database"], checks["migrations"]) == (503, "no answer", "unknown")
    assert checks_of(client)[0] == 200


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite does not show it")
def test_a_database_that_only_reads_is_not_ready() -> None:
    assert not health.CHECKS["database"]()
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
    assert health.CHECKS["database"]() == "read-only"


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


def test_a_database_that_hangs_is_not_ready_until_it_answers(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch, silence: threading.Event
) -> None:
    monkeypatch.setattr(health, "MAX_SECONDS", 0.05)
    threads = threading.active_count()
    for _ in range(20):
        status, checks = checks_of(client)
        assert status == 503
        assert {name for name, answer in checks.items() if answer == "no answer"} >= {"database", "queues"}
    assert threading.active_count() == threads + 1
    silence.set()
    monkeypatch.setattr(health, "MAX_SECONDS", 60)
    assert checks_of(client)[0] == 200


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


def test_a_check_that_fails_leaves_the_others_their_answer(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OSError

    monkeypatch.setattr(shutil, "disk_usage", fail)
    status, checks = checks_of(client)
    assert (status, checks) == (503, dict.fromkeys(health.CHECKS, "ok") | {"disk": "no answer"})


def test_another_data_folder_is_not_ready(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = "the data folder has the mark of another database"
    monkeypatch.setattr(data_mark, "_latest", data_mark._Result(problem, float("inf")))
    assert checks_of(client) == (503, dict.fromkeys(health.CHECKS, "ok") | {"files": problem})


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


@pytest.mark.parametrize(
    ("get", "shown"),
    [(lambda *_args, **_options: None, "no consumer was ever started"), (no_answer, "no answer")],
    ids=["never started", "out of reach"],
)
def test_queues_without_consumers_or_out_of_reach_are_not_ready(
    client: Client, consumer: None, monkeypatch: pytest.MonkeyPatch, get: Any, shown: str
) -> None:
    monkeypatch.setattr(messages.huey, "get", get)
    status, checks = checks_of(client)
    assert (status, checks["queues"]) == (503, f"messages: {shown}")
