"""Limits of how long connections of this process wait: short for requests, longer for tasks and commands.

Without limits one blocked row lock would block all threads of the shop
(docs/guarantees/operation.md#waiting).
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from django.conf import settings
from django.db import Error, connection, connections

Role = Literal["request", "task", "migration"]

# PostgreSQL's name of each limit.
_PARAMETERS = {
    "lock": "lock_timeout",
    "statement": "statement_timeout",
    "idle": "idle_in_transaction_session_timeout",
}
# The equivalent on SQLite, in seconds.
_WITHOUT_END = 24 * 60 * 60
# The other options with which connections to PostgreSQL are opened.
_OTHER_OPTIONS: str = connections.settings["default"]["OPTIONS"].get("options", "")


def limit_waiting(role: Role) -> None:
    """Set the limits of a role for the connections of this process, and close this thread's connection.

    Call it outside any transaction, before other threads have connected.
    """
    options = connections.settings["default"]["OPTIONS"]
    limits = settings.DATABASE_LIMITS[role]
    if connection.vendor == "sqlite":
        options["timeout"] = limits["lock"] or _WITHOUT_END
    else:
        given = (f"-c {_PARAMETERS[name]}={seconds * 1000:.0f}" for name, seconds in limits.items())
        options["options"] = " ".join([_OTHER_OPTIONS, *given])
        # Imported here, because SQLite does not need it.
        from core.postgresql import Connection, longest_wait

        Connection.longest_wait = longest_wait(limits["statement"])
    connection.close()


def limit_migration(**_signal: Any) -> None:
    """Set the limits of a migration for this process."""
    limit_waiting("migration")


def limit_task(**_signal: Any) -> None:
    """Set the limits of tasks and commands for this process."""
    limit_waiting("task")


@contextmanager
def statement_limit(seconds: float) -> Iterator[None]:
    """Limit each statement of this thread to `seconds` during the block; has no effect on SQLite."""
    if connection.vendor == "sqlite":
        yield
        return
    from core.postgresql import longest_wait

    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [f"{seconds}s"])
    try:
        with connection.connection.waiting_at_most(longest_wait(seconds)):
            yield
    finally:
        # A broken connection needs no reset, and its own error matters more.
        with suppress(Error), connection.cursor() as cursor:
            cursor.execute("RESET statement_timeout")


@contextmanager
def sqlite_lock_limit(seconds: float) -> Iterator[None]:
    """Limit the wait of this thread for SQLite's write lock during the block; no effect on PostgreSQL."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.waiting_at_most(seconds):  # type: ignore[attr-defined]  # of core.sqlite
        yield
