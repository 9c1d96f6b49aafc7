"""Records that an order's money was received, also late."""

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
    """Move an unpaid order to paid; False when it cannot be paid now: paid, canceled or expired before.

    The values of `order` itself do not matter, since a transaction that runs again has changed it.
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
    """Move an order to paid, once; False when it cannot take the money: paid before, or canceled for good.

    A canceled order revives if its products, their share of a promotion, its voucher, its points, and its
    hour or window, can be had again; without an hour or window that has begun
    (docs/guarantees/orders.md#late-payments). One that was paid before and refunded never does. Its sales are
    counted later, by `commerce.orders.sales`.
    Locks: the order's row, which the caller holds; to revive it also the customer's account of points, their
    row, its slot or window, quotas, voucher and stock by pk.
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
        # An order of a release without invoices does not have it set.
        invoice_due=True,
        **values,
    )


def _revive(order: Order, pay_type: str) -> bool:
    if Order.objects.filter(pk=order.pk, paid_at__isnull=False).exists():
        # It was paid and refunded: it has ended for good.
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
                check_first_order(order.voucher, order.customer.orders.exclude(pk=order.pk))
            if slot is not None:
                book_slot(shop=slot.shop, starts_at=slot.starts_at)
            if window is not None:
                ends_at = book_window(starts_at=window.starts_at).ends_at
                Order.objects.filter(pk=order.pk).update(delivery_until=ends_at)
            take_promotion_units(customer_id=order.customer_id, units_by_item=promotion_units_of(order))
            if order.voucher_id is not None:
                take_voucher(customer_id=order.customer_id, voucher_id=order.voucher_id)
            reserve(location=order.location, units_by_product=units, reference=order.order_no)
            return True
    except ShopError:
        order.refresh_from_db(fields=["status"])
        return False


def _if_ahead(slot: Slot | None) -> Slot | None:
    """Return an hour or a window that has not begun yet; None for one that can no longer be booked."""
    return slot if slot is not None and slot.starts_at > timezone.now() else None
