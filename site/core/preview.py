"""The time for which pages are shown: the current time, or a later one that an editor previews."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone


@dataclass(frozen=True)
class Preview:
    """A preview of the shop at a later time, with or without unapproved drafts."""

    moment: datetime
    with_drafts: bool = False


_preview: ContextVar[Preview | None] = ContextVar("preview", default=None)


def current_preview() -> Preview | None:
    """Return the preview for which a page is shown; None if it is shown for the current time."""
    return _preview.get()


def page_time() -> datetime:
    """Return the time for which a page is shown."""
    preview = _preview.get()
    return preview.moment if preview else timezone.now()


@contextmanager
def previewing(preview: Preview) -> Iterator[None]:
    """Show pages for the time of a preview, in this thread and block only."""
    token = _preview.set(preview)
    try:
        yield
    finally:
        _preview.reset(token)
