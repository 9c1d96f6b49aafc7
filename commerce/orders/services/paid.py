"""Records that an order was paid, in time or late."""

from collections import Counter
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from catalog.stock.services import reserve
from commerce.accounts.services import lock_customer
from commerce.delivery.models import DeliverySlot, PickupSlot
from commerce.delivery.services import book_slot, book_window
from commerce.orders.models import Order
from commerce.orders.points import spend_points_again
from commerce.orders.services.change_status import change_status
from commerce.orders.services.check import check_first_order
from commerce.orders.services.promotion_units import promotion_units_of, take_promotion_units
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.vouchers.services import take_voucher
from core.errors import ShopError
from core.transactions import in_callers_transaction

Slot = TypeVar("Slot", PickupSlot, DeliverySlot)


@in_callers_transaction
def pay_in_time(*, order: Order, pay_type: str) -> bool:
    """Change an unpaid order to paid; return False if it has been paid, canceled or is expired.

    The values of `order` are not used, since an earlier run of the same transaction may have changed them.
    Locks: the order's row.
    """
    return _pay(
        order,
        pay_type,
        ChangeReason.payment,
        seen=OrderStatus.unpaid,
        only=~Q(expires_at__lte=timezone.now()),
    )


@in_callers_transaction
def mark_paid(*, order: Order, pay_type: str) -> bool:
    """Change an order to paid, once; return False if it was paid before or cannot be revived.

    A canceled order is revived if products, promotion units, voucher, points, and slot or window are
    available again; a slot or window that has begun is dropped (docs/guarantees/orders.md#late-payments).
    An order that was paid and refunded is never revived. `commerce.orders.sales` counts the sales later.
    Locks: the order's row, which the caller has locked. A revival also locks the customer's points account,
    the customer's row, the slot or window, quotas, voucher, and stock by pk.
    """
    order.refresh_from_db(fields=["status"])
    if order.status == OrderStatus.unpaid:
        return _pay(order, pay_type, ChangeReason.payment)
    return order.status == OrderStatus.canceled and _revive(order, pay_type)


def _pay(order: Order, pay_type: str, reason: ChangeReason, **values: Any) -> bool:
    return change_status(
        order=order,
        to=OrderStatus.paid,
        reason=reason,
        pay_type=pay_type,
        paid_at=timezone.now(),
        # Orders of releases without invoices do not have it set.
        invoice_due=True,
        **values,
    )


def _revive(order: Order, pay_type: str) -> bool:
    if Order.objects.filter(pk=order.pk, paid_at__isnull=False).exists():
        # It was paid and refunded before, so it is not revived.
        return False
    units: Counter[int] = Counter()
    for product_id, amount in order.lines.values_list("product_id", "amount"):
        units[product_id] += amount
    slot, window = _if_ahead(order.pickup_slot), _if_ahead(order.delivery_slot)
    try:
        with transaction.atomic():
            late = ChangeReason.late_payment
            if not _pay(order, pay_type, late, pickup_slot=slot, delivery_slot=window):
                return False
            spend_points_again(order)
            # A customer's concurrent orders must see each other. Orders of deleted accounts are not revived.
            lock_customer(order.customer)
            if order.voucher is not None:
                check_first_order(order.voucher, order.customer, but=order)
            if slot is not None:
                book_slot(shop=slot.shop, starts_at=slot.starts_at)
            if window is not None:
                ends_at = book_window(starts_at=window.starts_at).ends_at
                Order.objects.filter(pk=order.pk).update(delivery_until=ends_at)
            take_promotion_units(customer=order.customer, units_by_item=promotion_units_of(order))
            if order.voucher_id is not None:
                take_voucher(customer=order.customer, voucher_id=order.voucher_id)
            reserve(location=order.location, units_by_product=units, reference=order.order_no)
            return True
    except ShopError:
        order.refresh_from_db(fields=["status"])
        return False


def _if_ahead(slot: Slot | None) -> Slot | None:
    """Return a slot or window if it has not begun yet, otherwise None."""
    return slot if slot is not None and slot.starts_at > timezone.now() else None
