"""The time that pages are shown for: now, or a later time that an editor previews."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone


@dataclass(frozen=True)
class Preview:
    """What an editor previews: the shop at a later time, with unapproved drafts or without."""

    moment: datetime
    with_drafts: bool = False


_preview: ContextVar[Preview | None] = ContextVar("preview", default=None)


def current_preview() -> Preview | None:
    """Return the preview that a page is shown for; None where it is shown as it is now."""
    return _preview.get()


def page_time() -> datetime:
    """Return the time that a page is shown for."""
    preview = _preview.get()
    return preview.moment if preview else timezone.now()


@contextmanager
def previewing(preview: Preview) -> Iterator[None]:
    """Show pages for another time, in this thread and within the block alone."""
    token = _preview.set(preview)
    try:
        yield
    finally:
        _preview.reset(token)
