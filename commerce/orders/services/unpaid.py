"""Limits what one customer may hold without paying for it (docs/guarantees.md#unpaid-orders)."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.utils import timezone

from catalog.goods.models import Product
from commerce.accounts.models import Customer
from commerce.cart.limits import max_units
from commerce.orders.models import OrderLine
from commerce.orders.status import OrderStatus
from core.errors import Err, ShopError
from core.money import ZERO

A_DAY = timedelta(days=1)


def check_unpaid_orders(*, customer: Customer, units: Sequence[tuple[Product, int]], amount: Decimal) -> None:
    """Refuse an order that, with the customer's other unpaid ones, would hold too much.

    `amount`: of its products, in dollars. Orders at the same moment keep to the limits together only where
    the caller has locked the customer's row.
    Raises ShopError(amount_above_limit) for an order that is too large by itself, too_many_unpaid where
    paying or canceling another one helps, too_many_unpaid_today where only paying helps.
    """
    if amount > settings.MAX_UNPAID_AMOUNT:
        raise ShopError(Err.amount_above_limit)
    unpaid, today = Q(status=OrderStatus.unpaid), Q(created_at__gt=timezone.now() - A_DAY)
    found = customer.orders.filter(unpaid | today & Q(status=OrderStatus.canceled)).aggregate(
        held=Count("pk", filter=unpaid),
        amount=Sum("goods_amount", filter=unpaid, default=ZERO),
        today=Count("pk", filter=today),
    )
    if found["held"] >= settings.MAX_UNPAID_ORDERS or found["amount"] + amount > settings.MAX_UNPAID_AMOUNT:
        raise ShopError(Err.too_many_unpaid)
    # Who renews unpaid orders would hold their units for ever.
    if found["today"] >= settings.MAX_UNPAID_ORDERS_A_DAY:
        raise ShopError(Err.too_many_unpaid_today)
    if not found["held"]:
        return
    lines = OrderLine.objects.filter(
        order__in=customer.orders.filter(unpaid), product__in=[product for product, _ in units]
    )
    units_held = dict(lines.order_by().values_list("product").annotate(units=Sum("amount")))
    if any(units_held.get(product.pk, 0) + wanted > max_units(product) for product, wanted in units):
        raise ShopError(Err.too_many_unpaid)
