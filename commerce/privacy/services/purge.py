"""Deletes the records of data copies after two years (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from commerce.privacy.models import DataCopy
from core.due_rows import delete_in_batches

COPIES_FOR = timedelta(days=2 * 365)


def delete_old_copies() -> None:
    """Delete the records of copies that were given out over two years ago."""
    delete_in_batches(DataCopy.objects.filter(created_at__lt=timezone.now() - COPIES_FOR))
