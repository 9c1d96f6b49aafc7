"""Pages and windows as their schedules will have them at a time to come."""

from collections.abc import Iterable
from typing import Any, TypeVar

from core.ahead import Ahead

Row = TypeVar("Row")


def as_it_will_be(row: Any, look: Ahead) -> Any:
    """Return a page or window as it will stand at a time; None where it will not stand then."""
    due = row.revisions.filter(approved_go_live_at__lte=look.moment).order_by("approved_go_live_at").last()
    then = due.as_object() if due else row if row.live else None
    if look.with_drafts and row.has_unpublished_changes:
        draft = row.get_latest_revision_as_object()
        then = draft if draft.go_live_at is None or draft.go_live_at <= look.moment else then
    if then is None or (then.expire_at and then.expire_at <= look.moment):
        return None
    then.live = True
    return then


def all_as_they_will_be(rows: Iterable[Row], look: Ahead) -> list[Row]:
    """Return the rows that will stand at a time, as they will be then; a query or two for each."""
    return [then for row in rows if (then := as_it_will_be(row, look))]
