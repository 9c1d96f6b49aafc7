"""What can be bought now: units on hand less those held."""

from collections.abc import Iterable

from django.db.models import F

from catalog.stock.models import Location, StockLevel


def units_at(location: Location, product_ids: Iterable[int]) -> dict[int, int]:
    """Return product id → units that can be bought at one place; goods without a level there are left out."""
    levels = StockLevel.objects.filter(location=location, product_id__in=list(product_ids))
    return dict(levels.values_list("product_id", F("on_hand") - F("reserved")))


def units_for_delivery(product_ids: Iterable[int]) -> dict[int, int]:
    """Return product id → units a delivery order can buy now (CONTRACT 2, `goodsStockAmount`)."""
    levels = StockLevel.objects.filter(location__fills_deliveries=True, product_id__in=list(product_ids))
    return dict(levels.values_list("product_id", F("on_hand") - F("reserved")))
