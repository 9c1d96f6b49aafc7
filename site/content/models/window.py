"""Drafts, schedules, history and previews of slides and special areas."""

from collections.abc import Iterator
from typing import Any

from django.db import models
from django.db.models import Prefetch, Q
from django.utils import timezone, translation
from modelcluster.models import ClusterableModel
from wagtail.models import (
    DraftStateMixin,
    LockableMixin,
    PreviewableMixin,
    Revision,
    RevisionMixin,
    WorkflowMixin,
    WorkflowState,
)

from catalog.rates.current import rate_now
from content.models.completeness import PublishedWhole
from content.models.previews import DesignWidths
from core.languages import CHINESE, ENGLISH, reader_language

# Far below the column's maximum, since a slide may be put after the last one.
LAST_PLACE = 9999


class ShownQuerySet(models.QuerySet[Any]):
    """Published rows."""

    def shown(self) -> "ShownQuerySet":
        """Return the rows that are published and have not ended."""
        return self.filter(Q(expire_at=None) | Q(expire_at__gt=timezone.now()), live=True)

    def with_status(self) -> "ShownQuerySet":
        """Also fetch the data of the rows' statuses, in two queries for all rows."""
        scheduled = Revision.objects.filter(approved_go_live_at__isnull=False).defer("content")
        in_approval = WorkflowState.objects.active().select_related("current_task_state__task")
        return self.prefetch_related(
            Prefetch("_revisions", scheduled, to_attr="scheduled_revisions"),
            # Wagtail uses this attribute instead of a query.
            Prefetch("_workflow_states", in_approval, to_attr="_current_workflow_states"),
        )


class Window(
    DesignWidths,
    PublishedWhole,
    WorkflowMixin,
    DraftStateMixin,
    LockableMixin,
    RevisionMixin,
    PreviewableMixin,
    ClusterableModel,
):
    """The base of slides and areas: drafts, schedule, history, and previews."""

    objects = ShownQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def approved_schedule(self) -> bool:
        """Whether a version is scheduled."""
        if hasattr(self, "scheduled_revisions"):
            return bool(self.scheduled_revisions)
        return bool(super().approved_schedule)

    @classmethod
    def from_serializable_data(cls, data: dict[str, Any], *args: Any, **kw: Any) -> Any:
        """Return the row of a draft; references to rows deleted in the meantime become null.

        Only references of saved rows protect from deletion, not those of drafts. For a dangling protecting
        key, modelcluster would raise an Exception.
        """
        return super().from_serializable_data(data | _deleted(cls, data), *args, **kw)

    def lacking(self) -> Iterator[str]:
        """Yield what its form requires in addition to its fields; a draft may lack it."""
        yield from self.picture_notes()

    def picture_notes(self) -> Iterator[str]:
        """Yield what is wrong with each picture: a missing text, or its shape."""
        raise NotImplementedError

    @property
    def preview_modes(self) -> list[tuple[str, str]]:
        """One preview for each language, the editor's language first."""
        modes = [(ENGLISH, "English"), (CHINESE, "简体中文")]
        return sorted(modes, key=lambda mode: mode[0] != reader_language())

    def get_preview_context(self, request: Any, mode_name: str) -> dict[str, Any]:
        """Add the context that all pages of the shop have."""
        context: dict[str, Any] = super().get_preview_context(request, mode_name)
        return context | {"rate": rate_now(), "noindex": True}

    def serve_preview(self, request: Any, mode_name: str) -> Any:
        """Render the preview in its own language instead of the editor's."""
        with translation.override(mode_name):
            return super().serve_preview(request, mode_name).render()


def _deleted(model: type[models.Model], data: dict[str, Any]) -> dict[str, None]:
    """Return null for each protecting key of a draft whose row was deleted; one query for each key."""
    keys = [field for field in model._meta.fields if isinstance(field, models.ForeignKey)]
    named = [key for key in keys if key.remote_field.on_delete is models.PROTECT and data.get(key.name)]
    gone = [
        key for key in named if not key.remote_field.model._base_manager.filter(pk=data[key.name]).exists()
    ]
    return {key.name: None for key in gone}
