"""Limits the unpaid orders of one customer (docs/guarantees/orders.md#unpaid-orders)."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from catalog.goods.listed import CartProduct
from commerce.accounts.models import Customer
from commerce.cart.limits import max_units
from commerce.orders.models import Order, OrderLine
from commerce.orders.requests import Fulfilment, PickUp
from commerce.orders.status import MONEY_CODES, OrderStatus
from core.errors import Err, ShopError
from core.prepared import PreparedQuery

A_DAY = timedelta(days=1)
# A customer's unpaid orders, and orders created since a time that ended unpaid; refunded orders were paid.
_UNPAID = PreparedQuery(
    f"SELECT status, created_at, goods_amount FROM {Order._meta.db_table}"  # noqa: S608  a table's name
    " WHERE customer_id = %s AND (status = %s OR status = %s AND paid_at IS NULL AND created_at > %s)",
    [*map(Order._meta.get_field, ("status", "created_at", "goods_amount"))],  # type: ignore[list-item]
)


def check_unpaid_orders(
    *, customer: Customer, units: Sequence[tuple[CartProduct, int]], amount: Decimal
) -> None:
    """Refuse an order that, together with the customer's unpaid orders, exceeds a limit.

    `amount`: price of its products, in dollars. The caller must lock the customer's row, otherwise concurrent
    orders may exceed the limits together.
    Raises ShopError(amount_above_limit) if the order alone is too large, too_many_unpaid if paying or
    canceling another order helps, too_many_unpaid_today if only paying helps.
    """
    if amount > settings.MAX_UNPAID_AMOUNT:
        raise ShopError(Err.amount_above_limit)
    a_day_ago = timezone.now() - A_DAY
    rows = _UNPAID.rows(customer.pk, OrderStatus.unpaid.value, OrderStatus.canceled.value, a_day_ago)
    held = [goods_amount for status, _, goods_amount in rows if status == OrderStatus.unpaid]
    if len(held) >= settings.MAX_UNPAID_ORDERS or sum(held, amount) > settings.MAX_UNPAID_AMOUNT:
        raise ShopError(Err.too_many_unpaid)
    # Without this limit, a customer who renews unpaid orders could reserve their units for ever.
    today = [created_at for _, created_at, _ in rows if created_at > a_day_ago]
    if len(today) >= settings.MAX_UNPAID_ORDERS_A_DAY:
        raise ShopError(Err.too_many_unpaid_today)
    if not held:
        return
    lines = OrderLine.objects.filter(
        order__in=customer.orders.filter(status=OrderStatus.unpaid),
        product__in=[product.id for product, _ in units],
    )
    units_held = dict(lines.order_by().values_list("product").annotate(units=Sum("amount")))
    if any(units_held.get(product.id, 0) + wanted > max_units(product) for product, wanted in units):
        raise ShopError(Err.too_many_unpaid)


def check_one_place(*, customer: Customer, fulfilment: Fulfilment) -> None:
    """Refuse a second unpaid order in one pick-up hour or delivery window before the first paid order.

    One query for an order with an hour or a window, two if there is an unpaid one. The caller must lock the
    customer's row. Raises ShopError(one_unpaid_place).
    """
    if isinstance(fulfilment, PickUp):
        place = {"pickup_slot__shop": fulfilment.shop_id, "pickup_slot__starts_at": fulfilment.starts_at}
    elif fulfilment.window is not None:
        place = {"delivery_slot__starts_at": fulfilment.window}
    else:
        return
    there = customer.orders.filter(status=OrderStatus.unpaid, **place)
    if there.exists() and not has_paid_order(customer):
        raise ShopError(Err.one_unpaid_place)


def has_paid_order(customer: Customer) -> bool:
    """Return True if a customer has an order that was paid and neither disputed nor canceled; one query."""
    return customer.orders.filter(status__in=MONEY_CODES).exists()
