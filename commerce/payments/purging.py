"""Deletes certificates and notices that have served their time (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from commerce.payments.models import PaymentEvent
from commerce.payments.services.certificates import delete_certificates, delete_files_without_row
from core.sweeps import delete_in_batches

# No certificate is tied to an order yet; staff look at one within days of its upload.
CERTIFICATE_RETENTION = timedelta(days=90)
# A chargeback may come after a year and a half.
EVENT_RETENTION = timedelta(days=2 * 365)


def delete_old_certificates() -> int:
    """Delete pictures that were uploaded 90 days ago, and files that lost their row; returns how many."""
    delete_files_without_row()
    return delete_certificates(before=timezone.now() - CERTIFICATE_RETENTION)


def delete_old_events() -> int:
    """Delete what providers sent over two years ago; what became of a payment stays. Returns how many."""
    before = timezone.now() - EVENT_RETENTION
    return delete_in_batches(PaymentEvent.objects.filter(created_at__lt=before))
