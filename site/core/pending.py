"""What a card of pending work on the dashboard is, for every app that has some."""

from dataclasses import dataclass

# An app's function of this Wagtail hook takes the user and returns cards; None for what the user may not see.
PENDING_WORK = "pending_work"
# The most rows that a card shows.
SHOWN = 5


@dataclass(frozen=True)
class Item:
    """One pending item."""

    text: str
    url: str | None = None
    note: str = ""


@dataclass(frozen=True)
class Card:
    """The pending items of one kind: the first ones, and the total."""

    name: str
    heading: str
    icon: str
    items: list[Item]
    total: int
    more_url: str = ""
    more_text: str = ""
