"""What slides and special areas have in common: drafts, a start and an end, history, previews."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone, translation
from modelcluster.models import ClusterableModel
from wagtail.models import (
    DraftStateMixin,
    LockableMixin,
    PreviewableMixin,
    RevisionMixin,
    WorkflowMixin,
)

from catalog.goods.rates import rate_now
from content.models.previews import DesignWidths
from core.languages import CHINESE, ENGLISH

# Far below what a column holds: a slide whose place is taken comes behind the last one.
LAST_PLACE = 9999


class ShownQuerySet(models.QuerySet[Any]):
    """Rows that editors publish."""

    def shown(self) -> "ShownQuerySet":
        """Return those that are published and not past their end, to the moment."""
        return self.filter(Q(expire_at=None) | Q(expire_at__gt=timezone.now()), live=True)


class Window(
    DesignWidths,
    WorkflowMixin,
    DraftStateMixin,
    LockableMixin,
    RevisionMixin,
    PreviewableMixin,
    ClusterableModel,
):
    """What a slide and an area have in common: drafts, a start and an end, history, and previews."""

    objects = ShownQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def preview_modes(self) -> list[tuple[str, str]]:
        """One preview for each language."""
        return [(ENGLISH, "English"), (CHINESE, "简体中文")]

    def get_preview_context(self, request: Any, mode_name: str) -> dict[str, Any]:
        """Add what every page of the shop shows."""
        context: dict[str, Any] = super().get_preview_context(request, mode_name)
        return context | {"rate": rate_now(), "noindex": True}

    def serve_preview(self, request: Any, mode_name: str) -> Any:
        """Show the preview in its own language, which is not always the editor's."""
        with translation.override(mode_name):
            return super().serve_preview(request, mode_name).render()
