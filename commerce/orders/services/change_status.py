"""The only writer of an order's status."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import Q

from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.status import TRANSITIONS, UNDO_TRANSITIONS, ChangeReason, OrderStatus
from core.transactions import in_callers_transaction


def change_status(
    *,
    order: Order,
    to: OrderStatus,
    reason: ChangeReason,
    staff: User | None = None,
    note: str = "",
    **values: Any,
) -> bool:
    """Change an order's status from the one the caller saw, and record it; False if it has changed before.

    `staff`, `note`: as for `change_statuses`. `values`: columns to update with the status, and the arguments
    `seen` and `only` of `change_statuses`. Locks: the order's row. Raises ValueError for a change that
    TRANSITIONS, or UNDO_TRANSITIONS for an undone action, does not have.
    """
    return change_statuses(orders=[order], to=to, reason=reason, staff=staff, note=note, **values)


@in_callers_transaction
def change_statuses(
    *,
    orders: Sequence[Order],
    to: OrderStatus,
    reason: ChangeReason,
    seen: OrderStatus | None = None,
    only: Q | None = None,
    staff: User | None = None,
    note: str = "",
    **values: Any,
) -> bool:
    """Change orders of one status, as `change_status`; False if all of them have changed before.

    `seen`: the current status, by default the one in `orders`. `only`: condition on other columns. `staff`,
    `note`: the member of staff who changes the status, and their note. The caller must lock several orders:
    raises IntegrityError if only some have changed before.
    """
    if not orders:
        return False
    if seen is None:
        [seen] = {OrderStatus(order.status) for order in orders}
    allowed = UNDO_TRANSITIONS if reason == ChangeReason.undone else TRANSITIONS
    if to not in allowed.get(seen, ()):
        raise ValueError(f"an order does not move from {seen.name} to {to.name}")
    seen_so = Order.objects.filter(only or Q(), pk__in=[order.pk for order in orders], status=seen)
    moved = seen_so.update(status=to, **values)
    if not moved:
        return False
    if moved < len(orders):
        raise IntegrityError("orders that should be locked have moved")
    OrderStatusChange.objects.bulk_create(
        OrderStatusChange(order=order, from_status=seen, to_status=to, reason=reason, staff=staff, note=note)
        for order in orders
    )
    for order in orders:
        order.status = to
    return True
