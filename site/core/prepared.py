"""Prepared statements for the busiest queries, whose planning takes as long as answering."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor  # type: ignore[attr-defined]
from django.db.models import Field
from django.db.models.sql import Query


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


@contextmanager
def prepared_statements() -> Iterator[None]:
    """Let a connection keep the plans of all statements of the block, those of the ORM too.

    For a busy service whose statements are all tested on PostgreSQL: it refuses some of the ORM's so.
    """
    # Of a connection to PostgreSQL (`core.postgresql.base`).
    name = "prepares"
    before = getattr(connection, name, False)
    setattr(connection, name, True)
    try:
        yield
    finally:
        setattr(connection, name, before)


def among(column: str, ids: Collection[int]) -> tuple[str, Any]:
    """Return the condition that a column has one of some ids, and its value, a single one for any number."""
    if len(ids) == 1:
        # A plan for any number of ids would expect ten of them.
        return f"{column} = %s", next(iter(ids))
    if connection.vendor == "postgresql":
        return f"{column} = ANY(%s)", list(ids)
    values = "SELECT value FROM json_each(%s)"
    return f"{column} IN ({values})", json.dumps(list(ids))


class PreparedQuery:
    """A query in SQL, written once, whose rows have the values that models would have.

    Django needs longer to write a query than the database to answer it, so this is for those that most calls
    ask.
    """

    def __init__(self, text: str, columns: Sequence["Field[Any, Any] | None"]) -> None:
        """Take the text, with %s for each value, and the model's field of each of its columns."""
        self._text, self._columns = text, columns

    def rows(self, *values: Any) -> list[Sequence[Any]]:
        """Return the rows; of a time among the values the database gets its own form."""
        adapt = connection.ops.adapt_datetimefield_value
        adapted = [adapt(value) if isinstance(value, datetime) else value for value in values]
        return fetch(self._text, adapted, self._converters)

    @cached_property
    def _converters(self) -> dict[int, Any]:
        return converters_of(self._columns)


def converters_of(columns: Sequence["Field[Any, Any] | None"]) -> dict[int, Any]:
    """Return what Django turns values of the database into others with, by the column's place."""
    expressions = [column and column.cached_col for column in columns]
    converters: dict[int, Any] = _compiler().get_converters(expressions)
    return converters


def fetch(text: str, values: Sequence[Any], converters: dict[int, Any]) -> list[Sequence[Any]]:
    """Ask a query in SQL and convert the values of its rows."""
    with prepared_cursor() as cursor:
        cursor.execute(text, values)
        rows: Iterable[Sequence[Any]] = cursor.fetchall()
    return list(_compiler().apply_converters(rows, converters)) if converters else list(rows)


def _compiler() -> Any:
    # Of no model: it is asked about columns, never for a query.
    return Query(None).get_compiler(connection=connection)
