"""How many units of a good a cart may hold."""

from catalog.goods.models import Product

# Units of one good; keeps every sum and every price within its column.
MOST_UNITS = 100_000


def most_buyable(product: Product, units: int) -> int:
    """Return how many units of a good can be bought now; 0 when it is sold out or off the shelves.

    `units`: what a delivery order can take. Fewer than the good's smallest amount count as none.
    """
    if not product.on_sale:
        return 0
    most = min(units, product.limit_amount or units, MOST_UNITS)
    return most if most >= product.min_amount else 0
