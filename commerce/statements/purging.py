"""Deletes the lines of old providers' lists (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from commerce.statements.models import StatementLine
from core.due_rows import delete_in_batches

# The same as for providers' notices.
LINE_RETENTION = timedelta(days=2 * 365)


def delete_old_lines() -> int:
    """Delete the lines of lists over two years old; lists and differences stay. Returns how many."""
    before = timezone.localdate() - LINE_RETENTION
    return delete_in_batches(StatementLine.objects.filter(statement__day__lt=before))
