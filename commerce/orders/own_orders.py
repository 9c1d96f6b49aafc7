"""Selects and counts a customer's orders by status (docs/wire.md#orderinfo)."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.status import STATUS_GROUPS, OrderStatus

CLAIMABLE = "claimable"
# The groups that a customer acts on, in the order of an order's life.
COUNTED = ("unpaid", "paid", "unreceived", CLAIMABLE)


def has_status(group: str) -> Q:
    """Return the condition for orders of a group; `CLAIMABLE`: completed and within the claim period."""
    if group != CLAIMABLE:
        return Q(status__in=STATUS_GROUPS[group])
    since = timezone.now() - timedelta(days=settings.CLAIM_DAYS)
    completed = OrderStatusChange.objects.filter(
        order=OuterRef("pk"), to_status=OrderStatus.completed, created_at__gt=since
    )
    return Q(Q(created_at__gt=since) | Exists(completed), status=OrderStatus.completed)


def counts_by_status(orders: QuerySet[Order]) -> dict[str, int]:
    """Return the number of orders in each group of `COUNTED`; one query."""
    return orders.order_by().aggregate(**{group: Count("pk", filter=has_status(group)) for group in COUNTED})
