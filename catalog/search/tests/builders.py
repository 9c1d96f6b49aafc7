"""What tests of the index need: things by their names alone."""

from itertools import count

from catalog.search import index
from catalog.search.finding import find
from catalog.search.terms import Entry

_numbers = count(1)


def put(*names: str, **kw: object) -> int:
    """Put a good with these names on the shelves of the index; returns its id."""
    entry = make(*names, **kw)
    index.write([entry])
    return entry.id


def make(*names: str, **kw: object) -> Entry:
    """Make an entry with these names and the label `all`."""
    fields: dict[str, object] = {"id": next(_numbers), "names": names, "labels": frozenset({"all"})}
    return Entry(**fields | kw)  # type: ignore[arg-type]


def found(word: str) -> list[list[int]]:
    """Search; returns the ids of each tier that holds any."""
    return [sorted(tier) for tier in find(word).tiers if tier]
