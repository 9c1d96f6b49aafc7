"""Takes units of stock levels, in SQL: Django would need longer to write it than the database to do it.

See docs/guarantees/orders.md#stock.
"""

# ruff: noqa: S608  what the statements are put together from are names of tables and numbers of lines

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from django.db import connection

from catalog.goods.models import Product
from catalog.stock.models import StockLevel
from core.prepared import prepared_cursor


class Taken(NamedTuple):
    """A stock level of which units were taken; `left` can still be bought, `min_amount` is its product's."""

    id: int
    product_id: int
    left: int
    min_amount: int


def take(location_id: int, units_by_product: Mapping[int, int]) -> list[Taken]:
    """Raise what is reserved of products at a location; returns the levels that had enough, by their ids.

    `units_by_product`: product id → units, at least 1. Where levels are missing in the result, the caller
    undoes the transaction. Locks: the stock levels in pk order. Two statements.
    """
    lock, update = _statements(len(units_by_product), connection.vendor)
    cases = [value for pair in units_by_product.items() for value in pair]
    with prepared_cursor() as cursor:
        if lock:
            cursor.execute(lock, [location_id, *units_by_product])
        cursor.execute(update, [*cases, location_id, *units_by_product, *cases])
        return sorted(Taken(*row) for row in cursor.fetchall())


@cache
def _statements(count: int, vendor: str) -> tuple[str, str]:
    """Write the statements for a number of products.

    The first locks the rows in the order of their keys, since an UPDATE would lock them in any order. What
    the second reads of products is newer than the locks, and no minimum amount changes in the meantime:
    `lock_stock` comes first. SQLite locks no rows.
    """
    levels, products = StockLevel._meta.db_table, Product._meta.db_table
    at = f"location_id = %s AND product_id IN ({', '.join(['%s'] * count)})"
    units = f"CASE product_id {' '.join(['WHEN %s THEN %s'] * count)} END"
    lock = f"SELECT id FROM {levels} WHERE {at} ORDER BY id FOR NO KEY UPDATE"
    update = (
        f"UPDATE {levels} SET reserved = reserved + {units} WHERE {at} AND on_hand >= reserved + {units}"
        f" RETURNING id, product_id, on_hand - reserved,"
        f" (SELECT min_amount FROM {products} WHERE {products}.id = product_id)"
    )
    return lock if vendor == "postgresql" else "", update
