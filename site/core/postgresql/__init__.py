"""Connections to PostgreSQL whose every wait has a limit, also while the server hangs or is cut off.

The server's own limits end a statement only while the server runs (docs/guarantees/operation.md#waiting).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

T = TypeVar("T")

# A server that lives has ended a statement within its limit and this.
MARGIN_SECONDS = 2


class Connection(psycopg.Connection[Any]):
    """A connection that is closed where the server has not answered for too long.

    `longest_wait`: seconds, 0 for no end; on the class what `core.database_limits` gives the process.
    """

    longest_wait: float = 0

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait for the server; everything that psycopg asks it, a commit too, waits here."""
        try:
            return super().wait(gen, interval, self.longest_wait or None if timeout is None else timeout)
        except psycopg.OperationalError as error:
            # Only the server's own errors have a state. No late answer may be taken for another statement's.
            if error.sqlstate is None and timeout is None:
                self.pgconn.finish()
            raise

    @contextmanager
    def waiting_at_most(self, seconds: float) -> Iterator[None]:
        """Limit each statement to this long, within the block."""
        before, self.longest_wait = self.longest_wait, seconds
        try:
            yield
        finally:
            self.longest_wait = before


def longest_wait(statement_seconds: float) -> float:
    """Return how long to wait for a server that ends statements after this many seconds; 0 is without end."""
    return statement_seconds and statement_seconds + MARGIN_SECONDS
