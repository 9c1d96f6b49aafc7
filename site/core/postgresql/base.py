"""Django's backend for PostgreSQL, with the connections of this package."""

from types import SimpleNamespace
from typing import Any

import psycopg
from django.db.backends.postgresql import base

from core.postgresql import Connection

# A server that does not answer "SELECT 1" by then is asked by a new connection.
HEALTH_SECONDS = 1


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, but no wait is without end."""

    # The name where Django looks for psycopg.
    Database: Any = SimpleNamespace(**{**vars(psycopg), "connect": Connection.connect})

    def is_usable(self) -> bool:
        """Tell whether the connection is alive, before the first statement of a request."""
        if self.connection is None:
            return False
        with self.connection.waiting_at_most(HEALTH_SECONDS):
            usable: bool = super().is_usable()
        return usable
