"""Deletes certificates and notices that have served their time (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from commerce.payments.models import PaymentEvent
from commerce.payments.services.certificates import (
    delete_files_without_row,
    delete_pictures,
    delete_unused,
)
from core.due_rows import delete_in_batches

# After its review, however long that has taken.
CERTIFICATE_RETENTION = timedelta(days=90)
# A chargeback may come after a year and a half.
EVENT_RETENTION = timedelta(days=2 * 365)


def delete_old_certificates() -> int:
    """Delete pictures 90 days after their review, or their upload where they are of no use any more.

    Also files that lost their row. Returns how many pictures.
    """
    delete_files_without_row()
    before = timezone.now() - CERTIFICATE_RETENTION
    return delete_unused(before=before) + delete_pictures(before=before)


def delete_old_events() -> int:
    """Delete what providers sent over two years ago; what became of a payment stays. Returns how many."""
    before = timezone.now() - EVENT_RETENTION
    return delete_in_batches(PaymentEvent.objects.filter(created_at__lt=before))
