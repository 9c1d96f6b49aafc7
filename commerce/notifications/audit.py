"""Audit rules for messages about orders (docs/guarantees/delivery.md#messages-about-orders)."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from commerce.notifications.services import due_changes
from commerce.orders.status import OrderStatus
from core.audit import Difference, label_of

# A job writes due messages every minute, well within this time.
WRITTEN_WITHIN = timedelta(minutes=10)


def differences() -> Iterator[Difference]:
    """Yield a difference for each status change whose customer was not notified."""
    late = due_changes().filter(created_at__lte=timezone.now() - WRITTEN_WITHIN)
    for change in late.select_related("order").order_by("pk").iterator():
        yield Difference(
            "order-message",
            f"order {change.order}",
            _("status changed to %(status)s at %(moved_at)s, customer not notified"),
            status=label_of(OrderStatus, change.to_status),
            moved_at=change.created_at,
        )
