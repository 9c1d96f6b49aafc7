"""How long a process waits for its database depends on what it does (docs/production.md#waiting)."""

from collections.abc import Callable, Iterator
from importlib import import_module, reload
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import post_migrate, pre_migrate

from config.management.commands import serve, web
from core.database_limits import limit_task, limit_waiting
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

LIMITS = {
    "request": {"lock": 1, "statement": 2, "idle": 3},
    "task": {"lock": 4, "statement": 5, "idle": 6},
    "migration": {"lock": 7, "statement": 0, "idle": 0},
}


@pytest.fixture(autouse=True)
def _limits(settings: LazySettings) -> Iterator[None]:
    before = settings.DATABASE_LIMITS
    settings.DATABASE_LIMITS = LIMITS
    # No port is taken.
    settings.PORT = 0
    limit_task()
    yield
    settings.DATABASE_LIMITS = before
    limit_task()


def limits_of_this_connection() -> list[str]:
    """Ask the database what it allows."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return [str(cursor.execute("PRAGMA busy_timeout").fetchone()[0])]
        found = []
        for name in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
            cursor.execute(f"SHOW {name}")
            found.append(cursor.fetchone()[0])
        return found


def limits_in_force() -> list[str]:
    """Return the limits of this thread's connection, which are those of any new one."""
    [new] = concurrently(lambda _: limits_of_this_connection(), [0])
    assert new == limits_of_this_connection()
    return new if isinstance(new, list) else []


def expected(role: str) -> list[str]:
    lock, *others = LIMITS[role].values()
    if connection.vendor == "sqlite":
        return [str(lock * 1000)]
    return [f"{seconds}s" if seconds else "0" for seconds in (lock, *others)]


def import_as_a_server_does() -> None:
    reload(import_module("config.wsgi"))


def start_web_server() -> None:
    web.Command().handle()


def start_everything() -> None:
    with pytest.raises(SystemExit):
        call_command("serve")


@pytest.mark.parametrize(
    ("start", "role"),
    [
        (lambda: None, "task"),
        (import_as_a_server_does, "request"),
        (start_web_server, "request"),
        # The task consumer is a fork of it.
        (start_everything, "task"),
    ],
)
def test_only_what_answers_requests_has_their_short_limits(
    start: Callable[[], None], role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle_server = SimpleNamespace(serve=lambda *_arguments, **_options: 0)
    monkeypatch.setattr(web, "Granian", lambda *_arguments, **_options: idle_server)
    monkeypatch.setattr("multiprocessing.set_start_method", lambda *_arguments, **_options: None)
    monkeypatch.setattr(serve, "Supervisor", lambda **_options: idle_server)
    start()
    assert limits_in_force() == expected(role)


def test_a_migration_may_take_long_but_waits_shortly_for_locks() -> None:
    core = apps.get_app_config("core")
    pre_migrate.send(core, app_config=core, using="default")
    assert limits_in_force() == expected("migration")
    post_migrate.send(core, app_config=core, using="default")
    assert limits_in_force() == expected("task")


def test_limits_may_change_while_a_connection_is_open() -> None:
    assert limits_in_force() == expected("task")
    limit_waiting("request")
    assert limits_in_force() == expected("request")
