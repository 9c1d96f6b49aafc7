"""How long the connections of this process wait: requests shortly, tasks and commands longer.

Without limits one stuck row lock would hold every thread of the shop (docs/guarantees/operation.md#waiting).
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
# Whatever else connections to PostgreSQL are started with.
_OTHER_OPTIONS: str = connections.settings["default"]["OPTIONS"].get("options", "")


def limit_waiting(role: Role) -> None:
    """Give the connections of this process the limits of a role; this thread's is opened again.

    Call it outside any transaction, before other threads have connected.
    """
    options = connections.settings["default"]["OPTIONS"]
    limits = settings.DATABASE_LIMITS[role]
    if connection.vendor == "sqlite":
        options["timeout"] = limits["lock"] or _WITHOUT_END
    else:
        given = (f"-c {_PARAMETERS[name]}={seconds * 1000:.0f}" for name, seconds in limits.items())
        options["options"] = " ".join([_OTHER_OPTIONS, *given])
        # Imported here, as SQLite has no use for it.
        from core.postgresql import Connection, longest_wait

        Connection.longest_wait = longest_wait(limits["statement"])
    connection.close()


def limit_migration(**_signal: Any) -> None:
    """Give this process the limits of a migration."""
    limit_waiting("migration")


def limit_task(**_signal: Any) -> None:
    """Give this process the limits of tasks and commands."""
    limit_waiting("task")


@contextmanager
def statement_limit(seconds: float) -> Iterator[None]:
    """Limit each statement of this thread to this long, within the block; on SQLite it changes nothing."""
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
        # A broken connection needs no limit any more, and its own error matters more.
        with suppress(Error), connection.cursor() as cursor:
            cursor.execute("RESET statement_timeout")


@contextmanager
def sqlite_lock_limit(seconds: float) -> Iterator[None]:
    """Let this thread wait this long to write to SQLite, within the block; elsewhere it changes nothing."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.waiting_at_most(seconds):  # type: ignore[attr-defined]  # of core.sqlite
        yield
