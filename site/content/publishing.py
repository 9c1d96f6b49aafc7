"""Publishes and unpublishes at scheduled times, and continues after a row that cannot be published.

Wagtail needs several steps for either; here they are one transaction, with the row locked. An editor's save
takes the same lock (`config.middleware.back_office_saves`). A row that is not due any more is skipped.
"""

from functools import partial

from django.apps import apps
from django.db.models import QuerySet
from django.utils import timezone
from wagtail.models import DraftStateMixin, Page, Revision

from core.due_rows import MAX_SECONDS, process_due_rows
from core.transactions import in_transaction


def publish_due() -> int:
    """Publish the drafts that are due; return how many."""
    due = _due_revisions().order_by("approved_go_live_at")
    return process_due_rows("publish scheduled", due, _publish, seconds=MAX_SECONDS / 2)


def unpublish_due() -> int:
    """Unpublish the rows whose time has ended; return how many."""
    models = [Page, *(each for each in apps.get_models() if _is_snippet(each))]
    return sum(_unpublish_due(model, MAX_SECONDS / 2 / len(models)) for model in models)


def _is_snippet(model: type) -> bool:
    return issubclass(model, DraftStateMixin) and not issubclass(model, Page)


def _unpublish_due(model: type[DraftStateMixin], seconds: float) -> int:
    due = _ended(model).order_by("expire_at")
    return process_due_rows(f"unpublish {model.__name__}", due, partial(_unpublish, model), seconds=seconds)


def _due_revisions() -> QuerySet[Revision]:
    due: QuerySet[Revision] = Revision.objects.filter(approved_go_live_at__lt=timezone.now())
    return due


def _ended(model: type[DraftStateMixin]) -> QuerySet[DraftStateMixin]:
    ended: QuerySet[DraftStateMixin] = model.objects.filter(live=True, expire_at__lt=timezone.now())
    return ended


@in_transaction
def _publish(revision_id: int) -> bool:
    revision = Revision.objects.get(pk=revision_id)
    model = revision.base_content_type.model_class()
    list(model._default_manager.select_for_update().filter(pk=revision.object_id).values("pk"))
    due = _due_revisions().filter(pk=revision_id).first()
    if due:
        due.publish(log_action="wagtail.publish.scheduled")
    return due is not None


@in_transaction
def _unpublish(model: type[DraftStateMixin], key: int) -> bool:
    ended = _ended(model).select_for_update().filter(pk=key).first()
    if ended:
        ended.unpublish(set_expired=True, log_action="wagtail.unpublish.scheduled")
    return ended is not None
