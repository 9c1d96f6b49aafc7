"""The cards of pending work on the dashboard, for all apps."""

from dataclasses import dataclass

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
