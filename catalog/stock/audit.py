"""Audit of stock (docs/guarantees.md#stock)."""

from collections.abc import Iterator
from typing import Any

from django.db.models import F, IntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from catalog.goods.models import Product
from catalog.stock.models import Reservation, StockLevel, StockMovement
from catalog.stock.soldout import with_wrong_sold_out


def differences() -> Iterator[str]:
    """Name each stock level with wrong counters, and products whose `sold_out` is wrong."""
    held = Reservation.objects.filter(level=OuterRef("pk"), state=Reservation.State.held)
    moved = StockMovement.objects.filter(level=OuterRef("pk")).order_by()
    levels = StockLevel.objects.annotate(held=_units(held), moved=_units(moved))
    for level in levels.exclude(reserved=F("held"), on_hand=F("moved")):
        yield (
            f"stock level {level.pk}: reserved {level.reserved}, held {level.held}; "
            f"on hand {level.on_hand}, moved {level.moved}"
        )
    for product in with_wrong_sold_out(Product.objects.all()):
        yield f"product {product.pk}: sold out {product.sold_out}, its stock says otherwise"


def _units(rows: QuerySet[Any]) -> Coalesce:
    total = rows.values("level").annotate(total=Sum("units")).values("total")
    return Coalesce(Subquery(total), 0, output_field=IntegerField())
