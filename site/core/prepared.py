"""Prepared statements for the busiest queries, whose planning takes as long as their execution."""

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
    """Yield a cursor for plain SQL; a connection keeps the plan of a statement after five executions.

    Not for queries of the ORM, because PostgreSQL refuses some of them with server-side parameters (Django's
    database notes). SQLite's driver caches statements anyway.
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
    """Make a connection keep the plans of all statements in the block, including those of the ORM.

    Only for a busy service whose statements are tested on PostgreSQL, because it refuses some of the ORM's.
    """
    # An attribute of connections to PostgreSQL (`core.postgresql.base`).
    name = "prepares"
    before = getattr(connection, name, False)
    setattr(connection, name, True)
    try:
        yield
    finally:
        setattr(connection, name, before)


def among(column: str, ids: Collection[int]) -> tuple[str, Any]:
    """Return the SQL condition that a column is one of these ids, and its single parameter."""
    if len(ids) == 1:
        # A plan for any number of ids would expect ten of them.
        return f"{column} = %s", next(iter(ids))
    if connection.vendor == "postgresql":
        return f"{column} = ANY(%s)", list(ids)
    values = "SELECT value FROM json_each(%s)"
    return f"{column} IN ({values})", json.dumps(list(ids))


class PreparedQuery:
    """An SQL query whose rows have the same values as the fields of models.

    For queries of most calls, because Django takes longer to build a query than the database to execute it.
    """

    def __init__(self, text: str, columns: Sequence["Field[Any, Any] | None"]) -> None:
        """Store the text, with %s for each value, and the model field of each column."""
        self._text, self._columns = text, columns

    def rows(self, *values: Any) -> list[Sequence[Any]]:
        """Return the rows; times among the values are adapted to the database."""
        adapt = connection.ops.adapt_datetimefield_value
        adapted = [adapt(value) if isinstance(value, datetime) else value for value in values]
        return fetch(self._text, adapted, self._converters)

    @cached_property
    def _converters(self) -> dict[int, Any]:
        return converters_of(self._columns)


def converters_of(columns: Sequence["Field[Any, Any] | None"]) -> dict[int, Any]:
    """Return column position → functions with which Django converts values of the database."""
    expressions = [column and column.cached_col for column in columns]
    converters: dict[int, Any] = _compiler().get_converters(expressions)
    return converters


def fetch(text: str, values: Sequence[Any], converters: dict[int, Any]) -> list[Sequence[Any]]:
    """Execute an SQL query and return its rows with converted values."""
    with prepared_cursor() as cursor:
        cursor.execute(text, values)
        rows: Iterable[Sequence[Any]] = cursor.fetchall()
    return list(_compiler().apply_converters(rows, converters)) if converters else list(rows)


def _compiler() -> Any:
    # Without a model, because it only converts columns and builds no query.
    return Query(None).get_compiler(connection=connection)
