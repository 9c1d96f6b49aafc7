"""Django's backend for PostgreSQL, with the connections of this package."""

import time
from math import inf
from typing import Any

import psycopg
from django.db import NotSupportedError, OperationalError
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper

from core.database_errors import STALE_PLAN, has_lost_connection, sqlstate
from core.postgresql import driver

# A server that does not answer "SELECT 1" by then is asked by a new connection.
HEALTH_SECONDS = 1
# A connection that has answered so lately is not asked: what it cannot do any more is sent again as far as
# that is safe.
ANSWERED_SECONDS = 1


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, but no wait is without end."""

    Database = driver

    # When this connection last answered, on the monotonic clock.
    answered_at = -inf
    # Whether it keeps the plans of all statements (`core.prepared.prepared_statements`).
    prepares = False

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor, one that lets PostgreSQL keep the plans where that was asked for."""
        if self.prepares and not name:
            return base.ServerBindingCursor(self.connection)  # type: ignore[attr-defined]
        return super().create_cursor(name)

    def make_cursor(self, cursor: Any) -> CursorWrapper:
        """Return a cursor that asks a new connection where this one has ended."""
        return _Cursor(cursor, self)

    def is_usable(self) -> bool:
        """Return True if the connection is alive, before the first statement of a request.

        One that answered a moment ago is believed to be, unless something failed since.
        """
        if self.connection is None:
            return False
        if not self.errors_occurred and time.monotonic() - self.answered_at < ANSWERED_SECONDS:
            return True
        with self.connection.waiting_at_most(HEALTH_SECONDS):
            usable: bool = super().is_usable()
        return usable


class _Cursor(CursorWrapper):
    """A cursor whose SELECT outside a transaction is sent once more when its connection has ended.

    Nothing depends on what was read before it; all else may have been done already.

    Where a migration has changed the type of a column, PostgreSQL refuses each plan that a connection has
    kept for it, again and again. From the first refusal on the connection keeps no plan any more.
    """

    def _execute(self, sql: Any, params: Any, *context: Any) -> Any:
        started = time.monotonic()
        try:
            result = super()._execute(sql, params, *context)  # type: ignore[misc]
            self.db.answered_at = time.monotonic()
            return result
        except NotSupportedError as error:
            if sqlstate(error) != STALE_PLAN:
                raise
            self.db.connection.prepare_threshold = None
            # Nothing was done, but a transaction has failed: `core.transactions` runs it again.
            if not self.db.autocommit:
                raise
            return super()._execute(sql, params, *context)  # type: ignore[misc]
        except OperationalError as error:
            if not self._may_ask_again(sql) or not has_lost_connection(error, since=started):
                raise
        self.db.close()
        self.cursor = self.db.cursor().cursor
        return super()._execute(sql, params, *context)  # type: ignore[misc]

    def _may_ask_again(self, sql: Any) -> bool:
        # A cursor of the server reads piece by piece: it is unknown how much of it was used.
        is_plain = not isinstance(self.cursor, psycopg.ServerCursor)
        return is_plain and self.db.autocommit and isinstance(sql, str) and sql.startswith("SELECT ")
