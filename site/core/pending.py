"""The cards of pending work on the dashboard, for all apps."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format

# Functions of this Wagtail hook take the user and return cards; None if the user may not see them.
PENDING_WORK = "pending_work"
# The most rows that a card shows.
SHOWN = 5


@dataclass(frozen=True)
class Item:
    """One item of pending work."""

    text: str
    url: str | None = None
    note: str = ""


@dataclass(frozen=True)
class Card:
    """The pending items of one kind: the first ones and the total."""

    name: str
    heading: str
    icon: str
    items: list[Item]
    total: int
    more_url: str = ""
    more_text: str = ""


def when(moment: datetime) -> str:
    """Return a time in the time zone of the staff who read it, as text in their language."""
    return date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT")
