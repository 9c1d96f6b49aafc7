"""What tests of any app need of stock."""

from itertools import count
from typing import Any

from catalog.goods.models import Product
from catalog.stock.models import Location, StockLevel, StockMovement
from catalog.stock.services import receive

_numbers = count(1)


def make_location(**kw: Any) -> Location:
    """Make a shop that keeps stock; `fills_deliveries=True` makes the warehouse."""
    number = next(_numbers)
    fields = {"code": f"place-{number}", "name_en": f"Place {number}", "name_zh": f"地点{number}"}
    return Location.objects.create(**fields | kw)


def stock(product: Product, units: int, location: Location | None = None) -> StockLevel:
    """Put units of a good on the shelves; by default of the warehouse, made when there is none."""
    place = location or Location.objects.filter(fills_deliveries=True).first()
    place = place or make_location(fills_deliveries=True)
    receive(location=place, units_by_product={product.pk: units}, reason=StockMovement.Reason.counted)
    return StockLevel.objects.get(product=product, location=place)
