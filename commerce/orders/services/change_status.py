"""The only writer of an order's status."""

from typing import Any

from django.db.models import Q

from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.status import TRANSITIONS, ChangeReason, OrderStatus
from core.transactions import in_callers_transaction


@in_callers_transaction
def change_status(
    *,
    order: Order,
    to: OrderStatus,
    reason: ChangeReason,
    seen: OrderStatus | None = None,
    only: Q | None = None,
    **values: Any,
) -> bool:
    """Move an order from the status the caller saw, and note it; False when it has moved on meanwhile.

    `seen`: that status, by default what the order says. `only`: what else its columns must say. `values`:
    columns that change along with it. Locks: the order's row. Raises ValueError for a move that the life of
    an order does not have.
    """
    seen = seen or OrderStatus(order.status)
    if to not in TRANSITIONS[seen]:
        raise ValueError(f"an order does not move from {seen.name} to {to.name}")
    if not Order.objects.filter(only or Q(), pk=order.pk, status=seen).update(status=to, **values):
        return False
    OrderStatusChange.objects.create(order=order, from_status=seen, to_status=to, reason=reason)
    order.status = to
    return True
