"""The units that can be bought now: on hand less reserved."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db.models import F

from catalog.stock.models import Location, StockLevel


def units_at(location: Location, product_ids: Iterable[int]) -> dict[int, int]:
    """Return product id → units that can be bought at a location; products without a level are left out."""
    levels = StockLevel.objects.filter(location=location, product_id__in=list(product_ids))
    return dict(levels.values_list("product_id", F("on_hand") - F("reserved")))


def units_for_delivery(product_ids: Iterable[int]) -> dict[int, int]:
    """Return product id → units a delivery order can buy now (docs/wire.md#goods)."""
    levels = StockLevel.objects.filter(location__fills_deliveries=True, product_id__in=list(product_ids))
    return dict(levels.values_list("product_id", F("on_hand") - F("reserved")))


def locations_with(units_by_product: Mapping[int, int]) -> set[int]:
    """Return the ids of the locations that can sell all of these units now.

    `units_by_product`: product id → units, at least 1.
    """
    levels = StockLevel.objects.filter(product_id__in=units_by_product)
    found: dict[int, set[int]] = defaultdict(set)
    for location_id, product_id, units in levels.values_list(
        "location_id", "product_id", F("on_hand") - F("reserved")
    ):
        if units >= units_by_product[product_id]:
            found[location_id].add(product_id)
    return {location_id for location_id, products in found.items() if len(products) == len(units_by_product)}
