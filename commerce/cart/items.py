"""The products in a cart, with their current prices and limits."""

from dataclasses import dataclass

from catalog.goods.listed import listed
from catalog.promotions.pricing import PricedProduct, price_products
from catalog.stock.availability import units_for_delivery
from commerce.accounts.models import Customer
from commerce.cart.limits import QuantityLimits, quantity_limits
from commerce.cart.models import CartItem, CartType


@dataclass(frozen=True)
class PricedItem:
    """A product in a cart: its price at its amount, and the maximum that the cart may have of it."""

    priced: PricedProduct
    amount: int
    limits: QuantityLimits


def priced_items(*, customer: Customer, type: CartType) -> list[PricedItem]:
    """Return the products in a customer's cart, newest first, in a constant number of queries."""
    items = list(
        CartItem.objects.filter(customer=customer, type=type)
        .select_related("product__picture", "product__brand", "product__category__parent")
        .prefetch_related("product__picture__renditions")
    )
    units = units_for_delivery(item.product_id for item in items)
    products = [listed(item.product, available=units.get(item.product_id, 0)) for item in items]
    amounts = {item.product_id: item.amount for item in items}
    priced = price_products(products, level=customer.level_id, amounts=amounts, with_offers=False)
    return [
        PricedItem(facts, item.amount, quantity_limits(item.product, type, facts.available))
        for item, facts in zip(items, priced, strict=True)
    ]
