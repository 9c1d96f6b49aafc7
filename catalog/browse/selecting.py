"""Plain SQL for the ids of products in the order of an index.

Most list queries are of this kind, and Django takes longer to build them than the database to execute them.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from catalog.goods.models import Product
from core.prepared import among, prepared_cursor


class Condition(NamedTuple):
    """An SQL condition, with the values of its placeholders."""

    text: str
    values: tuple[Any, ...] = ()


class Select(NamedTuple):
    """A query for the ids of a page, with its order; `is_turned`: whether it reads in reverse order."""

    text: str
    values: tuple[Any, ...]
    order: tuple[str, ...]
    is_turned: bool = False

    def ids(self) -> list[int]:
        """Return the ids in order; one query."""
        with prepared_cursor() as cursor:
            cursor.execute(self.text, self.values)
            ids = [row[0] for row in cursor.fetchall()]
        return ids[::-1] if self.is_turned else ids


def select(
    conditions: Iterable[Condition], order: Sequence[str], total: int, start: int, stop: int
) -> Select:
    """Return the query for a slice of a list of `total` products on sale.

    `order`: names of columns, with a minus if descending. The query reads from the nearer end of the list.
    """
    is_turned = start > total - stop
    wanted = [Condition("on_sale"), *conditions]
    skipped = total - stop if is_turned else start
    # The limit is part of the text, because a plan for an unknown limit expects a tenth of all rows.
    part = [Condition(f"LIMIT {stop - start}"), *([Condition("OFFSET %s", (skipped,))] if skipped else [])]
    text = (
        f"SELECT id FROM {Product._meta.db_table}"  # noqa: S608  built from constants
        f" WHERE {' AND '.join(condition.text for condition in wanted)}"
        f" ORDER BY {order_text(turned(order) if is_turned else order)}"
        f" {' '.join(condition.text for condition in part)}"
    )
    values = tuple(value for condition in (*wanted, *part) for value in condition.values)
    return Select(text, values, tuple(order), is_turned)


def is_among(ids: Collection[int]) -> Condition:
    """Return the condition that the id is one of these."""
    text, value = among("id", ids)
    return Condition(text, (value,))


def order_text(order: Iterable[str]) -> str:
    """Return an order as SQL: `-price` is `price DESC`."""
    table = Product._meta.db_table
    return ", ".join(
        f"{table}.{name.removeprefix('-')}{' DESC' if name.startswith('-') else ''}" for name in order
    )


def turned(order: Iterable[str]) -> tuple[str, ...]:
    """Return the reverse order."""
    return tuple(name[1:] if name.startswith("-") else f"-{name}" for name in order)
