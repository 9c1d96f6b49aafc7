"""The units that can be bought now: on hand minus reserved."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db.models import F

from catalog.stock.models import Location, StockLevel
from core.prepared import among, prepared_cursor

_LEVELS = StockLevel._meta.db_table


def units_at(location: Location, product_ids: Iterable[int]) -> dict[int, int]:
    """Return product id → units that can be bought at a location, for products with a stock level there."""
    levels = StockLevel.objects.filter(location=location, product_id__in=list(product_ids))
    return dict(levels.values_list("product_id", F("on_hand") - F("reserved")))


def locations_with(units_by_product: Mapping[int, int]) -> set[int]:
    """Return the ids of the locations that can sell all of these units now; one query.

    `units_by_product`: product id → units, at least 1.
    """
    named, ids = among("product_id", units_by_product)
    with prepared_cursor() as cursor:
        cursor.execute(
            f"SELECT location_id, product_id, on_hand - reserved FROM {_LEVELS} WHERE {named}",  # noqa: S608
            [ids],
        )
        levels = cursor.fetchall()
    found: dict[int, set[int]] = defaultdict(set)
    for location_id, product_id, units in levels:
        if units >= units_by_product[product_id]:
            found[location_id].add(product_id)
    return {location_id for location_id, products in found.items() if len(products) == len(units_by_product)}
