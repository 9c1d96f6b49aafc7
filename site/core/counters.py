"""Counters of many rows that one statement reduces, each by its own units."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Case, F, IntegerField, QuerySet, Value, When


def by_key(units_by_pk: Mapping[int, int], column: str = "pk") -> Case:
    """Return an expression with the units of each row by a key column; `units_by_pk` must not be empty."""
    cases = (When(**{column: pk}, then=Value(units)) for pk, units in units_by_pk.items())
    return Case(*cases, output_field=IntegerField())


def subtract(rows: QuerySet[Any], column: str, units_by_pk: Mapping[int, int]) -> int:
    """Subtract units from a counter, only in rows that have enough; return how many rows had.

    `units_by_pk`: primary key → units. Call it within a transaction. Locks these rows in pk order.
    """
    if not units_by_pk:
        return 0
    mine = rows.filter(pk__in=units_by_pk)
    if len(units_by_pk) > 1:
        # An UPDATE alone locks rows in any order.
        list(mine.order_by("pk").select_for_update(no_key=True).values("pk"))
    units = by_key(units_by_pk)
    return mine.filter(**{f"{column}__gte": units}).update(**{column: F(column) - units})
