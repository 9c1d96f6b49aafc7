"""The time that pages are shown for: now, or a time to come that an editor looks ahead to."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone


@dataclass(frozen=True)
class Ahead:
    """What an editor looks ahead to: a time, and whether drafts that nobody has approved count as well."""

    moment: datetime
    with_drafts: bool = False


_ahead: ContextVar[Ahead | None] = ContextVar("ahead", default=None)


def ahead() -> Ahead | None:
    """Return what an editor looks ahead to; None where a page is shown as it is now."""
    return _ahead.get()


def page_time() -> datetime:
    """Return the time that a page is shown for."""
    look = _ahead.get()
    return look.moment if look else timezone.now()


@contextmanager
def looking(look: Ahead) -> Iterator[None]:
    """Show pages for another time, in this thread and within the block alone."""
    token = _ahead.set(look)
    try:
        yield
    finally:
        _ahead.reset(token)
