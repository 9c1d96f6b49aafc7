"""Connections to PostgreSQL that limit every wait, even if the server hangs or is cut off.

The server's own limits end a statement only while the server runs (docs/guarantees/operation.md#waiting).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

T = TypeVar("T")

# A running server has ended a statement within its limit and this margin.
MARGIN_SECONDS = 2


class Connection(psycopg.Connection[Any]):
    """A connection that closes itself if the server does not answer in time.

    `longest_wait`: seconds, 0 for no limit; `core.database_limits` sets it on the class for the process.
    """

    longest_wait: float = 0

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait for the server; psycopg calls this for every request to it, including commits."""
        try:
            return super().wait(gen, interval, self.longest_wait or None if timeout is None else timeout)
        except psycopg.OperationalError as error:
            # Only the server's errors have a SQLSTATE. A late answer must not be read for another statement.
            if error.sqlstate is None and timeout is None:
                self.pgconn.finish()
            raise

    @contextmanager
    def waiting_at_most(self, seconds: float) -> Iterator[None]:
        """Limit the wait for each statement to `seconds` during the block."""
        before, self.longest_wait = self.longest_wait, seconds
        try:
            yield
        finally:
            self.longest_wait = before


def longest_wait(statement_seconds: float) -> float:
    """Return the seconds to wait for a server with this statement limit; 0 for no limit."""
    return statement_seconds and statement_seconds + MARGIN_SECONDS
