"""Finds the units of an order that can still be claimed, and until when (docs/guarantees/money.md#claims)."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max, Q, Sum
from django.utils import timezone

from commerce.claims.states import OPEN
from commerce.orders.models import Order, OrderLine
from commerce.orders.status import UNRECEIVED_CODES, OrderStatus
from core.errors import Err, ShopError


def claimable_until(order: Order) -> datetime | None:
    """Return the end of an order's claim period; None before completion, otherwise one query."""
    if order.status != OrderStatus.completed:
        return None
    completed = order.history.filter(to_status=OrderStatus.completed).last()
    since = completed.created_at if completed else order.created_at
    return since + timedelta(days=settings.CLAIM_DAYS)


def is_claimable(order: Order) -> bool:
    """Return True if an order can be claimed: it is on its way, ready, or within the claim period."""
    if order.status != OrderStatus.completed:
        return order.status in UNRECEIVED_CODES
    until = claimable_until(order)
    return until is None or timezone.now() < until


def check_claimable(order: Order) -> None:
    """Raise ShopError(not_claimable) if the order cannot be claimed now."""
    if not is_claimable(order):
        raise ShopError(Err.not_claimable)


def claimed_since(order: Order, since: datetime) -> Err | None:
    """Return the refusal to undo an action on an order that was claimed after it; None without a claim."""
    return Err.undo_claimed if order.claims.filter(created_at__gte=since).exists() else None


def units_to_claim(order: Order) -> dict[OrderLine, int]:
    """Return the number of units of each line that can still be claimed; one query.

    These are the bought units, less refunded units or units accepted for a refund, less units in open claims.
    """
    lines = order.lines.annotate(
        claimed=Sum("claim_lines__units", filter=Q(claim_lines__claim__state__in=sorted(OPEN))),
        target=Max("claim_lines__refund_target"),
    )
    return {
        line: max(0, line.amount - max(line.refunded_units, line.target or 0) - (line.claimed or 0))
        for line in lines.order_by("pk")
    }
