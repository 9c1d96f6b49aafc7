"""What tests of any app need of stock."""

from collections.abc import Iterable
from itertools import count
from typing import Any

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.stock.models import Location, StockLevel, StockMovement
from catalog.stock.services import receive, save_location

_numbers = count(1)


def make_location(**kw: Any) -> Location:
    """Make a shop that keeps stock; `fills_deliveries=True` makes the warehouse."""
    number = next(_numbers)
    fields = {"code": f"place-{number}", "name_en": f"Place {number}", "name_zh": f"地点{number}"}
    location = Location(**fields | kw)
    save_location(location)
    return location


def stock(product: Product, units: int, location: Location | None = None) -> StockLevel:
    """Put units of a product into stock; by default of the warehouse, made when there is none."""
    place = stock_all([product], units, location)
    return StockLevel.objects.get(product=product, location=place)


def stock_all(products: Iterable[Product], units: int, location: Location | None = None) -> Location:
    """Put units of each product into a location, as `stock` does of one; returns the location."""
    place = location or Location.objects.filter(fills_deliveries=True).first()
    place = place or make_location(fills_deliveries=True)
    counted = {product.pk: units for product in products}
    receive(location=place, units_by_product=counted, reason=StockMovement.Reason.counted)
    return place


def make_stocked(units: int = 10, **kw: Any) -> Product:
    """Make a product with units in the warehouse."""
    product = make_product(**kw)
    stock(product, units)
    return product
