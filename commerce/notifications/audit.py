"""Audit of messages about orders (docs/guarantees.md#messages-about-orders)."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from commerce.notifications.services import due_changes
from core.audit import Difference

# The sweep of each minute has long written what was due before.
WRITTEN_WITHIN = timedelta(minutes=10)


def differences() -> Iterator[Difference]:
    """Name each move of an order that its customer was not told of."""
    late = due_changes().filter(created_at__lte=timezone.now() - WRITTEN_WITHIN)
    for change in late.select_related("order").order_by("pk").iterator():
        found = f"moved to {change.to_status} at {change.created_at:%Y-%m-%d %H:%M}, nobody was told"
        yield Difference("order-message", f"order {change.order}", found)
