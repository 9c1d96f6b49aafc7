"""The only writer of an order's status."""

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction

from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.status import TRANSITIONS, ChangeReason, OrderStatus


def change_status(*, order: Order, to: OrderStatus, reason: ChangeReason, **values: Any) -> bool:
    """Move an order from the status the caller saw, and note it; False when it has moved on meanwhile.

    `values`: columns that change along with it. Locks: the order's row. Raises ValueError for a move that the
    life of an order does not have.
    """
    return change_statuses(orders=[order], to=to, reason=reason, **values)


def change_statuses(*, orders: Sequence[Order], to: OrderStatus, reason: ChangeReason, **values: Any) -> bool:
    """Move orders of one status, as `change_status`; False when all of them have moved on meanwhile.

    Several must be locked by the caller: raises IntegrityError where only some have moved on.
    """
    if not orders:
        return False
    [seen] = {OrderStatus(order.status) for order in orders}
    if to not in TRANSITIONS[seen]:
        raise ValueError(f"an order does not move from {seen.name} to {to.name}")
    seen_so = Order.objects.filter(pk__in=[order.pk for order in orders], status=seen)
    # Without a savepoint: whoever goes on after a failure has one.
    with transaction.atomic(savepoint=False):
        moved = seen_so.update(status=to, **values)
        if not moved:
            return False
        if moved < len(orders):
            raise IntegrityError("orders that should be locked have moved")
        OrderStatusChange.objects.bulk_create(
            OrderStatusChange(order=order, from_status=seen, to_status=to, reason=reason) for order in orders
        )
    for order in orders:
        order.status = to
    return True
