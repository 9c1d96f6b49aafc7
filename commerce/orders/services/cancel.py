"""Ends orders that are not paid: by the customer, or by the clock."""

from django.utils import timezone

from catalog.stock.services import release
from commerce.accounts.models import Customer
from commerce.delivery.services import release_slot
from commerce.orders.models import Order
from commerce.orders.services.change_status import change_status
from commerce.orders.services.find import find_order
from commerce.orders.services.promotion_units import return_promotion_units
from commerce.orders.status import ChangeReason, OrderStatus
from core.errors import Err, ShopError
from core.sweeps import sweep
from core.transactions import in_transaction


@in_transaction
def cancel_order(*, customer: Customer, order_no: str) -> Order:
    """Cancel a customer's unpaid order and release its reservations, once (docs/wire.md#ordercancel).

    A payment that still arrives reopens the order or becomes a refund due.
    Locks: Order, then its slot, its promotion's quotas, stock by pk.
    Raises ShopError(order_not_found, order_cancelled, paid_cannot_cancel).
    """
    order = find_order(customer=customer, order_no=order_no)
    if order.status == OrderStatus.unpaid:
        if change_status(order=order, to=OrderStatus.canceled, reason=ChangeReason.customer):
            _release(order)
            return order
        order.refresh_from_db()
    canceled = order.status == OrderStatus.canceled
    raise ShopError(Err.order_cancelled if canceled else Err.paid_cannot_cancel)


@in_transaction
def expire_order(*, order_id: int) -> bool:
    """Expire one unpaid order that is due and release its reservations, once; False if it is not due.

    Locks: Order, then its slot, its promotion's quotas, stock by pk.
    """
    due = Order.objects.filter(pk=order_id, status=OrderStatus.unpaid, expires_at__lte=timezone.now())
    order = due.select_for_update(no_key=True).first()
    if order is None or not change_status(order=order, to=OrderStatus.canceled, reason=ChangeReason.expired):
        return False
    _release(order)
    return True


def expire_due_orders() -> int:
    """End unpaid orders that are past their time, each in a transaction of its own; returns how many."""
    due = Order.objects.filter(status=OrderStatus.unpaid, expires_at__lte=timezone.now())
    return sweep("expire orders", due.order_by("expires_at"), lambda key: expire_order(order_id=key))


def _release(order: Order) -> None:
    if order.pickup_slot_id is not None:
        release_slot(order.pickup_slot_id)
    return_promotion_units(order)
    release(reference=order.order_no)
