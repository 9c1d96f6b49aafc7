"""How many units of a good a cart may hold."""

from dataclasses import dataclass

from catalog.goods.models import Product
from commerce.cart.models import CartType

# Units of one good; keeps every sum and every price within its column.
MOST_UNITS = 100_000


@dataclass(frozen=True)
class Bounds:
    """The least and the most units of a good, in steps; `most` is 0 where nothing can be bought."""

    least: int
    most: int
    step: int

    def fit(self, amount: int) -> int:
        """Return the nearest amount that a cart may hold, none less than asked for as far as there are."""
        return min(max(self.up(amount), self.least), self.most)

    def up(self, amount: int) -> int:
        """Return an amount rounded up to whole steps."""
        return -(-amount // self.step) * self.step


def bounds(product: Product, type: CartType, units: int) -> Bounds:
    """Return how much of a good one of the carts may hold now; the bulk cart holds whole cartons (SPEC 2).

    `units`: what a delivery order can take. Fewer than the good's smallest amount count as none, and nothing
    can be bought of goods off the shelves.
    """
    step = product.carton_size if type == CartType.bulk and product.is_bulk else 1
    least = -(-product.min_amount // step) * step
    most = min(units, product.limit_amount or units, MOST_UNITS) // step * step
    return Bounds(least, most if product.on_sale and most >= least else 0, step)
