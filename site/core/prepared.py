"""Prepared statements for the busiest queries, whose planning takes as long as answering."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor  # type: ignore[attr-defined]


@contextmanager
def prepared_cursor() -> Iterator[Any]:
    """Yield a cursor for plain SQL whose plan a connection keeps after five executions.

    Not for queries of the ORM: PostgreSQL refuses some of them with server-side parameters (Django's
    database notes). SQLite's driver caches its statements anyway.
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


def among(column: str, ids: Iterable[int]) -> tuple[str, Any]:
    """Return the condition that a column has one of some ids, and its value, a single one for any number."""
    if connection.vendor == "postgresql":
        return f"{column} = ANY(%s)", list(ids)
    values = "SELECT value FROM json_each(%s)"
    return f"{column} IN ({values})", json.dumps(list(ids))
