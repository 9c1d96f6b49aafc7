"""Queries that the database plans once: those asked most often take as long to plan as to answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor  # type: ignore[attr-defined]


@contextmanager
def prepared_cursor() -> Iterator[Any]:
    """Yield a cursor for a query written out, whose plan a connection keeps from the fifth time on.

    Not for queries of Django's: it writes some that PostgreSQL refuses with values apart from their text
    (Django's database notes, server-side parameters binding). SQLite's driver keeps its statements anyway.
    """
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            yield cursor
        return
    connection.ensure_connection()
    own = ServerBindingCursor(connection.connection)
    wrapped = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with wrapped(own) as cursor:
        yield cursor
