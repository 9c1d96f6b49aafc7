"""Records that the money of an order has come, also when it comes late."""

from collections import Counter

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from catalog.goods.sales import record_sales
from catalog.stock.services import reserve
from commerce.delivery.services import book_slot
from commerce.orders.models import Order
from commerce.orders.services.move import move
from commerce.orders.services.promoted import hold_offers
from commerce.orders.status import ChangeReason, OrderStatus
from core.errors import ShopError


@transaction.atomic
def mark_paid(*, order: Order, pay_type: str) -> bool:
    """Move an order to paid, once; False when it cannot take the money: paid before, or dead for good.

    A canceled order revives if its goods, their share of a promotion, and for a pick-up its hour, can be had
    again (RELIABILITY 2.10).
    Locks: Order, then its slot, quotas, stock and goods by pk; the caller holds the order's row.
    """
    order.refresh_from_db(fields=["status"])
    if order.status == OrderStatus.unpaid:
        taken = _pay(order, pay_type)
    else:
        taken = order.status == OrderStatus.canceled and _revive(order, pay_type)
    if not taken:
        return False
    lines = order.lines.order_by().values_list("product_id").annotate(units=Sum("amount"))
    record_sales(dict(lines))
    return True


def _pay(order: Order, pay_type: str, reason: ChangeReason = ChangeReason.payment) -> bool:
    return move(order=order, to=OrderStatus.paid, reason=reason, pay_type=pay_type, paid_at=timezone.now())


def _revive(order: Order, pay_type: str) -> bool:
    units: Counter[int] = Counter()
    for product_id, amount in order.lines.values_list("product_id", "amount"):
        units[product_id] += amount
    try:
        with transaction.atomic():
            if not _pay(order, pay_type, ChangeReason.late_payment):
                return False
            if order.pickup_slot is not None:
                book_slot(shop=order.pickup_slot.shop, starts_at=order.pickup_slot.starts_at)
            hold_offers(order)
            reserve(location=order.location, units_by_product=units, reference=order.order_no)
            return True
    except ShopError:
        order.refresh_from_db(fields=["status"])
        return False
