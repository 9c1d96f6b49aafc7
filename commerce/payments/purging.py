"""Deletes old certificates and notices of providers (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from commerce.payments.models import PaymentEvent
from commerce.payments.services.certificates import (
    delete_pictures,
    delete_unused,
    delete_used,
    move_files_without_row,
)
from core.due_rows import delete_in_batches

# Counted from the review, however late that was.
CERTIFICATE_RETENTION = timedelta(days=90)
# A chargeback may come a year and a half after the payment.
EVENT_RETENTION = timedelta(days=2 * 365)


def delete_old_certificates() -> int:
    """Delete pictures 90 days after their review, or after their upload if they prove no order.

    Also delete those that claims used, and move files without a row. Returns how many pictures were deleted,
    without those of claims.
    """
    delete_used()
    move_files_without_row()
    before = timezone.now() - CERTIFICATE_RETENTION
    return delete_unused(before=before) + delete_pictures(before=before)


def delete_old_events() -> int:
    """Delete notices that are over two years old; the payments stay. Returns how many."""
    before = timezone.now() - EVENT_RETENTION
    return delete_in_batches(PaymentEvent.objects.filter(created_at__lt=before))
