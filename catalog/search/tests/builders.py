"""Builders of index entries for tests."""

from itertools import count

from catalog.search import index
from catalog.search.finding import find
from catalog.search.terms import Entry

_numbers = count(1)


def put(*names: str, **kw: object) -> int:
    """Add an entry with these names to the index; returns its id."""
    entry = make(*names, **kw)
    index.write([entry])
    return entry.id


def make(*names: str, **kw: object) -> Entry:
    """Make an entry with these names and the label `all`."""
    fields: dict[str, object] = {"id": next(_numbers), "names": names, "labels": frozenset({"all"})}
    return Entry(**fields | kw)  # type: ignore[arg-type]


def found(word: str) -> list[list[int]]:
    """Search; returns the ids of each tier that is not empty."""
    return [sorted(tier) for tier in find(word).tiers if tier]
