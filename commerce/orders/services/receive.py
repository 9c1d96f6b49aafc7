"""Completes received orders: by the customer, or by the scheduler."""

from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.orders.models import Order
from commerce.orders.services.change_status import change_status, change_statuses
from commerce.orders.services.find import find_order
from commerce.orders.status import ChangeReason, OrderStatus
from core.due_rows import process_due_batches
from core.errors import Err, ShopError
from core.transactions import in_transaction

# The whole order is on its way. Orders ready for pick-up are completed by their code instead.
RECEIVABLE = frozenset({OrderStatus.shipped, OrderStatus.out_for_delivery})


@in_transaction
def receive_order(*, customer: Customer, order_no: str) -> Order:
    """Confirm that a customer's order has arrived (docs/wire.md#orderreceive); a repeat changes nothing.

    Locks: the order's row. Raises ShopError(order_not_found, order_cancelled, not_receivable).
    """
    order = find_order(customer=customer, order_no=order_no)
    if order.status in RECEIVABLE:
        if change_status(order=order, to=OrderStatus.completed, reason=ChangeReason.receipt):
            return order
        order.refresh_from_db()
    if order.status != OrderStatus.completed:
        is_canceled = order.status == OrderStatus.canceled
        raise ShopError(Err.order_cancelled if is_canceled else Err.not_receivable)
    return order


@in_transaction
def complete_orders(*, order_ids: list[int]) -> int:
    """Complete the given orders that are on their way and due; return the number of orders.

    Locks: the orders by pk.
    """
    due = Order.objects.filter(pk__in=order_ids, status__in=RECEIVABLE, complete_at__lte=timezone.now())
    orders = list(due.order_by("pk").select_for_update(no_key=True))
    for status in sorted(RECEIVABLE):
        change_statuses(
            orders=[order for order in orders if order.status == status],
            to=OrderStatus.completed,
            reason=ChangeReason.time_passed,
        )
    return len(orders)


def complete_due_orders() -> int:
    """Complete the orders that are due, a few per transaction; return the number of orders."""
    due = Order.objects.filter(status__in=RECEIVABLE, complete_at__lte=timezone.now())
    return process_due_batches(
        "complete orders", due.order_by("complete_at"), lambda keys: complete_orders(order_ids=keys)
    )
