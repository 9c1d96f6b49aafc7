"""Pages, slides and areas as they will be at a later time."""

from collections.abc import Iterable
from typing import Any, TypeVar

from core.preview import Preview

Row = TypeVar("Row")


def as_it_will_be(row: Any, preview: Preview) -> Any:
    """Return a page, slide or area as it will be at a time; None if it will not be live."""
    due = row.revisions.filter(approved_go_live_at__lte=preview.moment).order_by("approved_go_live_at").last()
    then = due.as_object() if due else row if row.live else None
    if preview.with_drafts and row.has_unpublished_changes:
        draft = row.get_latest_revision_as_object()
        then = draft if draft.go_live_at is None or draft.go_live_at <= preview.moment else then
    if then is None or (then.expire_at and then.expire_at <= preview.moment):
        return None
    then.live = True
    return then


def all_as_they_will_be(rows: Iterable[Row], preview: Preview) -> list[Row]:
    """Return the rows that will be live at a time, as they will be then; one or two queries for each."""
    return [then for row in rows if (then := as_it_will_be(row, preview))]
