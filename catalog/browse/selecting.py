"""Ids of goods in the order of an index, as a query written out.

Lists ask for little else, and Django would need longer to write it than the database to answer.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from catalog.goods.models import Product
from core.prepared import prepared_cursor


class Condition(NamedTuple):
    """What rows must fulfil, with the values of its placeholders."""

    text: str
    values: tuple[Any, ...] = ()


class Select(NamedTuple):
    """A query for the ids of a page, the order they are meant to be in, and whether it reads backwards."""

    text: str
    values: tuple[Any, ...]
    order: tuple[str, ...]
    is_turned: bool = False

    def ids(self) -> list[int]:
        """Ask the database for the ids, in order."""
        with prepared_cursor() as cursor:
            cursor.execute(self.text, self.values)
            ids = [row[0] for row in cursor.fetchall()]
        return ids[::-1] if self.is_turned else ids


def select(
    conditions: Iterable[Condition], order: Sequence[str], total: int, start: int, stop: int
) -> Select:
    """Write the query for the goods on sale from one place of a list of `total` up to another.

    `order`: names of columns, with a minus downwards. The query reads from the nearer end.
    """
    is_turned = start > total - stop
    wanted = [Condition("on_sale"), *conditions]
    skipped = total - stop if is_turned else start
    # How many are read is written out: a plan for any number of rows would be one for a tenth of all.
    part = [Condition(f"LIMIT {stop - start}"), *([Condition("OFFSET %s", (skipped,))] if skipped else [])]
    text = (
        f"SELECT id FROM {Product._meta.db_table}"  # noqa: S608  names of ours only
        f" WHERE {' AND '.join(condition.text for condition in wanted)}"
        f" ORDER BY {order_text(turned(order) if is_turned else order)}"
        f" {' '.join(condition.text for condition in part)}"
    )
    values = tuple(value for condition in (*wanted, *part) for value in condition.values)
    return Select(text, values, tuple(order), is_turned)


def among(ids: Iterable[int]) -> Condition:
    """Return the condition of being one of however many goods: one value for all of them."""
    if connection.vendor == "postgresql":
        return Condition("id = ANY(%s)", (list(ids),))
    return Condition("id IN (SELECT value FROM json_each(%s))", (json.dumps(list(ids)),))


def order_text(order: Iterable[str]) -> str:
    """Write an order for the database: `-price` is `price DESC`, of goods."""
    table = Product._meta.db_table
    return ", ".join(
        f"{table}.{name.removeprefix('-')}{' DESC' if name.startswith('-') else ''}" for name in order
    )


def turned(order: Iterable[str]) -> tuple[str, ...]:
    """Return the opposite order."""
    return tuple(name[1:] if name.startswith("-") else f"-{name}" for name in order)
