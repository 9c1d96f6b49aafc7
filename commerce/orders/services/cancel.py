"""Ends unpaid orders: canceled by the customer, or expired by the scheduler."""

from collections.abc import Collection, Sequence

from django.utils import timezone

from catalog.stock.services import release
from commerce.accounts.models import Customer
from commerce.orders.models import Order
from commerce.orders.points import give_points_back
from commerce.orders.services.bookings import release_bookings
from commerce.orders.services.change_status import change_status, change_statuses
from commerce.orders.services.find import find_order
from commerce.orders.services.promotion_units import return_promotion_units
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.vouchers.services import return_vouchers
from core.due_rows import process_due_batches
from core.errors import Err, ShopError
from core.transactions import in_transaction


@in_transaction
def cancel_order(*, customer: Customer, order_no: str) -> Order:
    """Cancel a customer's unpaid order and release its reservations, once (docs/wire.md#ordercancel).

    A payment that arrives later revives the order or becomes a refund due.
    Locks: Order, then the customer's points account, the slot or window, the promotion's quotas and the
    customer's uses, the voucher, stock by pk.
    Raises ShopError(order_not_found, order_cancelled, paid_cannot_cancel).
    """
    order = find_order(customer=customer, order_no=order_no)
    if order.status == OrderStatus.unpaid:
        if change_status(order=order, to=OrderStatus.canceled, reason=ChangeReason.customer):
            _release([order])
            return order
        order.refresh_from_db()
    canceled = order.status == OrderStatus.canceled
    raise ShopError(Err.order_cancelled if canceled else Err.paid_cannot_cancel)


@in_transaction
def expire_orders(*, order_ids: Collection[int]) -> int:
    """Expire the given orders that are unpaid and due, and release their reservations, once.

    Returns the number of expired orders. Locks: the orders by pk, then as `cancel_order`.
    """
    due = Order.objects.filter(pk__in=order_ids, status=OrderStatus.unpaid, expires_at__lte=timezone.now())
    orders = list(due.order_by("pk").select_for_update(no_key=True))
    if not change_statuses(orders=orders, to=OrderStatus.canceled, reason=ChangeReason.expired):
        return 0
    _release(orders)
    return len(orders)


def expire_due_orders() -> int:
    """Expire the unpaid orders that are due, a few per transaction; return their number."""
    due = Order.objects.filter(status=OrderStatus.unpaid, expires_at__lte=timezone.now())
    return process_due_batches(
        "expire orders", due.order_by("expires_at"), lambda keys: expire_orders(order_ids=keys)
    )


def _release(orders: Sequence[Order]) -> None:
    give_points_back(orders)
    release_bookings(orders)
    return_promotion_units(orders)
    return_vouchers([(order.customer_id, order.voucher_id) for order in orders if order.voucher_id])
    # Last, because other orders wait for these rows.
    release(references=[order.order_no for order in orders])
