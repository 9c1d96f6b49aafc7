"""Publishes and unpublishes at the times that editors have set, past what cannot be published."""

from functools import partial

from django.apps import apps
from django.utils import timezone
from wagtail.models import DraftStateMixin, Page, Revision

from core.sweeps import MAX_SECONDS, sweep


def publish_due() -> int:
    """Publish the drafts whose time has come; returns how many."""
    due = Revision.objects.filter(approved_go_live_at__lt=timezone.now()).order_by("approved_go_live_at")
    return sweep("publish scheduled", due, _publish, seconds=MAX_SECONDS / 2)


def unpublish_due() -> int:
    """Unpublish the content whose time has ended; returns how much."""
    models = [Page, *(each for each in apps.get_models() if _is_snippet(each))]
    return sum(_unpublish_due(model, MAX_SECONDS / 2 / len(models)) for model in models)


def _is_snippet(model: type) -> bool:
    return issubclass(model, DraftStateMixin) and not issubclass(model, Page)


def _unpublish_due(model: type[DraftStateMixin], seconds: float) -> int:
    due = model.objects.filter(live=True, expire_at__lt=timezone.now()).order_by("expire_at")
    return sweep(f"unpublish {model.__name__}", due, partial(_unpublish, model), seconds=seconds)


def _publish(revision_id: int) -> None:
    Revision.objects.get(pk=revision_id).publish(log_action="wagtail.publish.scheduled")


def _unpublish(model: type[DraftStateMixin], key: int) -> None:
    model.objects.get(pk=key).unpublish(set_expired=True, log_action="wagtail.unpublish.scheduled")
