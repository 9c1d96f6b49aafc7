"""Closes the cursor of a failed statement on SQLite (docs/guarantees/operation.md#waiting).

A database error of Django refers to its own frames, so its cursor is freed by the garbage collector, in any
thread. That thread then waits for the cursor's connection, which another thread uses while it waits for a
lock. Without this module, a page that needs no lock took two seconds.
"""

from collections.abc import Callable
from typing import Any

from django.db import Error
from django.db.backends.base.base import BaseDatabaseWrapper


def close_failed_cursors(*, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Make a connection to SQLite close the cursor of each statement that fails."""
    wrappers = connection.execute_wrappers
    # The signal is sent again if the same connection is opened again.
    if connection.vendor == "sqlite" and _closing_on_failure not in wrappers:
        wrappers.insert(0, _closing_on_failure)


def _closing_on_failure(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    try:
        return execute(sql, params, many, context)
    except Error:
        context["cursor"].close()
        raise
