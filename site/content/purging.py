"""Deletes old rows of staff's work in Django's and Wagtail's tables (docs/data-growth.md)."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from wagtail.models import Revision, WorkflowState

from content.models import Creation
from core.due_rows import delete_in_batches, process_in_batches

# Older revisions are deleted, except for the newest of a row, scheduled ones, and those under review.
REVISION_RETENTION = timedelta(days=365)
UNDER_REVIEW = (WorkflowState.STATUS_IN_PROGRESS, WorkflowState.STATUS_NEEDS_CHANGES)
# Longer than a login of staff.
CREATION_RETENTION = timedelta(days=2)


def delete_old_creations() -> int:
    """Delete the records of forms that cannot be sent again; return how many."""
    return delete_in_batches(Creation.objects.filter(created_at__lt=timezone.now() - CREATION_RETENTION))


def delete_expired_sessions() -> int:
    """Delete the expired sessions of the back office; return how many."""
    return delete_in_batches(Session.objects.filter(expire_date__lt=timezone.now()))


def delete_old_revisions() -> int:
    """Delete unneeded revisions of pages, slides and areas that are over a year old.

    Returns how many. Wagtail's own command has no time limit, and stops at a row that fails.
    """
    return process_in_batches("delete revisions", _old_revisions(), _delete_revisions)


def _old_revisions() -> QuerySet[Revision]:
    same = Revision.objects.filter(
        base_content_type=OuterRef("base_content_type"), object_id=OuterRef("object_id")
    )
    is_later = Q(created_at__gt=OuterRef("created_at")) | Q(
        created_at=OuterRef("created_at"), pk__gt=OuterRef("pk")
    )
    old: QuerySet[Revision] = Revision.objects.filter(
        Exists(same.filter(is_later)),
        approved_go_live_at=None,
        created_at__lt=timezone.now() - REVISION_RETENTION,
    )
    return old.exclude(task_states__workflow_state__status__in=UNDER_REVIEW)


def _delete_revisions(revision_ids: list[int]) -> int:
    revisions = _old_revisions().filter(pk__in=revision_ids)
    for revision in revisions:
        # One by one, since a comment moves on to the next revision.
        revision.delete()
    return len(revisions)
