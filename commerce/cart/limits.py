"""The limits of a product's amount in a cart."""

from dataclasses import dataclass

from django.conf import settings

from catalog.goods.listed import CartProduct
from catalog.goods.models import Product
from commerce.cart.models import CartType

# The maximum amount of one product, so that every sum fits into its column.
MAX_UNITS = 100_000


@dataclass(frozen=True)
class QuantityLimits:
    """The minimum, maximum and step of a product's amount; `maximum` is 0 if it cannot be bought."""

    minimum: int
    maximum: int
    step: int

    def nearest(self, amount: int) -> int:
        """Return the amount that a cart may have: rounded up to minimum and step, at most the maximum."""
        whole = -(-amount // self.step) * self.step
        return min(max(whole, self.minimum), self.maximum)


def max_units(product: Product | CartProduct) -> int:
    """Return the maximum units of a product that one customer may have in unpaid orders.

    A product's own limit overrides the shop's, so that some products can be sold by the pallet.
    """
    return min(product.limit_amount or settings.MAX_UNPAID_UNITS, MAX_UNITS)


def quantity_limits(product: CartProduct, type: CartType) -> QuantityLimits:
    """Return the limits of a product's amount in a cart; the bulk cart has whole cartons.

    The maximum is 0 if the product is not on sale or fewer units than its minimum amount are available.
    See docs/product.md#pages.
    """
    step = product.carton_size if type == CartType.bulk and product.is_bulk else 1
    minimum = -(-product.min_amount // step) * step
    maximum = min(product.available, max_units(product)) // step * step
    return QuantityLimits(minimum, maximum if product.on_sale and maximum >= minimum else 0, step)
