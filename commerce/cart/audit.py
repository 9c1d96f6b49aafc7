"""Audit rules for carts (docs/guarantees/prices.md#cart-merges)."""

from collections.abc import Iterator

from django.db.models import Count
from django.utils.translation import gettext_noop as _

from catalog.goods.schemas import MAX_PRODUCTS
from commerce.cart.limits import MAX_UNITS
from commerce.cart.models import CartItem, CartType
from core.audit import Difference, about, run_rules


@about(CartItem)
def differences() -> Iterator[Difference]:
    """Yield a difference for each cart with too many products, and for each line with too many units."""
    yield from run_rules(_products, _units)


def _products() -> Iterator[Difference]:
    carts = CartItem.objects.order_by("customer", "type").values("customer", "type")
    for cart in carts.annotate(products=Count("pk")).filter(products__gt=MAX_PRODUCTS).iterator():
        yield Difference(
            "cart-size",
            f"customer {cart['customer']}",
            _("%(products)s products in the cart of bulk buying, %(most)s at most")
            if cart["type"] == CartType.bulk
            else _("%(products)s products in the cart, %(most)s at most"),
            products=cart["products"],
            most=MAX_PRODUCTS,
        )


def _units() -> Iterator[Difference]:
    items = CartItem.objects.filter(amount__gt=MAX_UNITS).order_by("pk")
    for pk, amount in items.values_list("pk", "amount").iterator():
        yield Difference(
            "cart-size",
            f"cart item {pk}",
            _("%(units)s units, %(most)s at most"),
            units=amount,
            most=MAX_UNITS,
        )
