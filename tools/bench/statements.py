"""Counts every statement that a piece of work sends to the database, those of transactions too.

PostgreSQL's are counted in the trace of its own client library: what is never sent, such as the beginning of
a transaction without statements, does not count; the queue's connection does. SQLite reports them itself.
"""

import gc
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection

# What begins a statement that only begins or ends a transaction or a savepoint.
_OF_TRANSACTIONS = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


class Statements:
    """How many statements there were; known once the block of `counting_statements` has ended."""

    count = 0
    # Those among them that only begin or end transactions and savepoints.
    of_transactions = 0

    def add(self, statement: str) -> None:
        """Count a statement, of which the first word is enough."""
        self.count += 1
        self.of_transactions += statement.startswith(_OF_TRANSACTIONS)


@contextmanager
def counting_statements() -> Iterator[Statements]:
    """Count the statements of the block, on all open connections of this process."""
    statements = Statements()
    count = _on_postgresql if connection.vendor == "postgresql" else _on_sqlite
    with count(statements):
        yield statements


@contextmanager
def _on_postgresql(statements: Statements) -> Iterator[None]:
    from psycopg.pq import Trace

    traces = []
    for each in open_connections():
        with tempfile.NamedTemporaryFile(delete=False) as empty:
            path = Path(empty.name)
        # The library writes into it until the trace ends.
        file = path.open("wb")
        traces.append((each, path, file))
        each.pgconn.trace(file.fileno())
        each.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
    try:
        yield
    finally:
        for each, path, file in traces:
            each.pgconn.untrace()
            file.close()
            for tag in traced(path.read_text("utf-8", errors="replace")):
                statements.add(tag)
            path.unlink()


def open_connections() -> list[Any]:
    """Return every open connection of this process to PostgreSQL: of the models, and of the queues."""
    from psycopg import Connection

    # Of the class only: asking a lazy object what it is would make it.
    every = [each for each in gc.get_objects() if issubclass(type(each), Connection)]
    return [each for each in every if not each.closed]


def traced(trace: str) -> list[str]:
    """Return the server's tag of each statement that it has completed, such as "SELECT 1".

    `trace`: written by PostgreSQL's client library.
    """
    lines = [line.split("\t") for line in trace.splitlines()]
    return [line[3].strip(' "') for line in lines if line[0] == "B" and line[2:3] == ["CommandComplete"]]


@contextmanager
def _on_sqlite(statements: Statements) -> Iterator[None]:
    def count(sql: str) -> None:
        # How long a connection waits for its turn is a setting of the connection.
        if not sql.startswith("PRAGMA"):
            statements.add(sql)

    connection.ensure_connection()
    raw = connection.connection
    raw.set_trace_callback(count)
    try:
        yield
    finally:
        raw.set_trace_callback(None)
