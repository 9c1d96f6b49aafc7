"""Deletes what staff's work leaves in Django's and Wagtail's tables (docs/data-growth.md)."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from content.models import Creation
from core.sweeps import delete_in_batches

# Older drafts are deleted, but never the newest of a page, one that is scheduled, nor one under review.
REVISION_DAYS = 365
# Longer than a login of staff lasts.
CREATION_RETENTION = timedelta(days=2)


def delete_old_creations() -> int:
    """Delete what is known of forms that nobody sends again; returns how many."""
    return delete_in_batches(Creation.objects.filter(created_at__lt=timezone.now() - CREATION_RETENTION))


def delete_expired_sessions() -> int:
    """Delete the back office's logins that have expired; returns how many."""
    return delete_in_batches(Session.objects.filter(expire_date__lt=timezone.now()))


def delete_old_revisions() -> None:
    """Delete the revisions of pages, slides and areas that are over a year old and not needed."""
    call_command("purge_revisions", days=REVISION_DAYS, verbosity=0)
