"""Django's backend for PostgreSQL with the connections of this package."""

import time
from math import inf
from typing import Any

import psycopg
from django.db import NotSupportedError, OperationalError
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper

from core.database_errors import STALE_PLAN, has_lost_connection, sqlstate
from core.postgresql import driver

# If the server does not answer "SELECT 1" within this time, a new connection is opened.
HEALTH_SECONDS = 1
# A connection that answered this recently is not tested. If it is lost, the statement is sent again as far
# as that is safe.
ANSWERED_SECONDS = 1


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper, with a limit for every wait."""

    Database = driver

    # The time of this connection's last answer, on the monotonic clock.
    answered_at = -inf
    # Whether PostgreSQL keeps the plans of all statements (`core.prepared.prepared_statements`).
    prepares = False

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor; if `prepares` is set, one with which PostgreSQL keeps plans."""
        if self.prepares and not name:
            return base.ServerBindingCursor(self.connection)  # type: ignore[attr-defined]
        return super().create_cursor(name)

    def make_cursor(self, cursor: Any) -> CursorWrapper:
        """Return a cursor that opens a new connection if this one has ended."""
        return _Cursor(cursor, self)

    def is_usable(self) -> bool:
        """Return True if the connection works, before the first statement of a request.

        A connection that answered recently counts as working, unless an error occurred since.
        """
        if self.connection is None:
            return False
        if not self.errors_occurred and time.monotonic() - self.answered_at < ANSWERED_SECONDS:
            return True
        with self.connection.waiting_at_most(HEALTH_SECONDS):
            usable: bool = super().is_usable()
        return usable


class _Cursor(CursorWrapper):
    """A cursor that repeats a SELECT outside a transaction if its connection has ended.

    Nothing depends on earlier reads; other statements may have been executed already.

    If a migration changes the type of a column, PostgreSQL refuses each plan that a connection keeps for it.
    After the first refusal the connection keeps no more plans.
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
            # No statement was executed, but the transaction has failed: `core.transactions` runs it again.
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
        # A server-side cursor reads in parts, and it is unknown how many of them were used.
        is_plain = not isinstance(self.cursor, psycopg.ServerCursor)
        return is_plain and self.db.autocommit and isinstance(sql, str) and sql.startswith("SELECT ")
