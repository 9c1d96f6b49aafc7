"""Django's backend for SQLite, whose wait for other writers can be changed for a block."""

# django-stubs does not know the attributes that a backend overrides.
# mypy: disable-error-code="attr-defined, misc"

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper with `waiting_at_most`. Transactions are IMMEDIATE: they take the write lock first."""

    @contextmanager
    def waiting_at_most(self, seconds: float) -> Iterator[None]:
        """Limit the wait for other writers to `seconds` during the block."""
        self.ensure_connection()
        opened = self.connection
        [before] = opened.execute("PRAGMA busy_timeout").fetchone()
        opened.execute(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")
        try:
            yield
        finally:
            if self.connection is opened:
                opened.execute(f"PRAGMA busy_timeout = {before}")
