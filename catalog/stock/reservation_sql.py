"""Reserves units of stock levels in SQL, because Django's ORM takes longer than the database.

See docs/guarantees/orders.md#stock.
"""

# ruff: noqa: S608  the statements are built from table names and numbers of placeholders only

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from django.db import connection

from catalog.goods.models import Product
from catalog.stock.models import StockLevel
from core.prepared import prepared_cursor


class Taken(NamedTuple):
    """A stock level with newly reserved units, the units left to buy, and its product's minimum amount."""

    id: int
    product_id: int
    left: int
    min_amount: int


def take(location_id: int, units_by_product: Mapping[int, int]) -> list[Taken]:
    """Reserve units of products at a location; return the levels that had enough units, sorted by id.

    `units_by_product`: product id → units, at least 1. If the result lacks levels, the caller must roll back
    the transaction. Locks the stock levels in pk order. Two statements.
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
    """Return the locking and the updating statement for a number of products.

    The first locks the rows in key order, because an UPDATE locks them in any order; SQLite locks no rows.
    The second reads each `min_amount` after the locks; writers of `min_amount` call `lock_stock` first, so it
    stays current until the transaction ends.
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
