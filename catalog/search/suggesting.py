"""What to offer while somebody types."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pyroaring import BitMap

from catalog.search import index
from catalog.search.finding import find
from catalog.search.folding import is_run, stem
from catalog.search.query import Phrase, words_of
from catalog.search.reading import Reader, common, union
from catalog.search.terms import BRAND, CATEGORY, GOODS, SHORT_RUN, TOP, pairs

# Postings to look through for names that begin as typed.
MAX_ROWS = 200
# The labels of popularity, the most sold first; as a rule the first few suffice, and hold the fewest goods.
_BANDS = [
    [f"{GOODS}lsold:{band}" for band in part]
    for part in (range(31, 8, -1), range(8, 4, -1), range(4, -1, -1))
]


@dataclass(frozen=True)
class Suggestions:
    """Ids of what may be meant, the likeliest first; categories are of either level."""

    goods: tuple[int, ...] = ()
    brands: tuple[int, ...] = ()
    categories: tuple[int, ...] = ()


def suggest(word: str, limit: int = 6) -> Suggestions:
    """Return at most `limit` goods, brands and categories each for what has been typed so far.

    The last word may be a beginning. Queries: those of `find`, and ten.
    """
    words = words_of(word)
    if not words:
        return Suggestions()
    reader = Reader()
    reader.load(
        f"{kind}{term}" for kind in (BRAND, CATEGORY, TOP) for typed in words for term in _terms(typed)
    )
    brands, categories, tops = (_named(reader, kind, words) for kind in (BRAND, CATEGORY, TOP))
    return Suggestions(
        goods=tuple(islice(_best_sellers_first(find(word).tiers, limit), limit)),
        brands=tuple(islice(brands, limit)),
        categories=tuple(islice((*tops, *categories), limit)),
    )


def _named(reader: Reader, kind: str, words: Phrase) -> BitMap:
    """Return the brands or categories whose names have all words, the last perhaps begun; two queries."""
    *whole, last = words
    found = (
        union(reader[kind + term] for term in _terms(last)) if not is_run(last) else _all(reader, kind, last)
    )
    if not is_run(last):
        begun = [index.begun_with(f"{kind}{letter}{last}", MAX_ROWS) for letter in "wu"]
        found = union([found, *(ids for terms in begun for ids in terms.values())])
    return common([found, *(_all(reader, kind, typed) for typed in whole)])


def _all(reader: Reader, kind: str, word: str) -> BitMap:
    """Return the names that have all of a run's pairs, or a word in any form."""
    found = [reader[kind + term] for term in _terms(word)]
    return common(found) if is_run(word) else union(found)


def _terms(word: str) -> list[str]:
    if is_run(word):
        return [f"z{pair}" for pair in pairs(word) or [word]]
    initials = [f"y{word}"] if 1 < len(word) <= SHORT_RUN else []
    return [f"w{stem(word)}", f"e{stem(word)}", f"u{word}", *initials]


def _best_sellers_first(tiers: Sequence[BitMap], limit: int) -> Iterator[int]:
    """Go through tiers, and the goods of each from the most sold band down; a query for each few bands."""
    reader = Reader()
    for tier in tiers:
        rest = tier
        for bands in _BANDS if len(tier) > limit else ():
            reader.load(bands)
            for band in bands:
                yield from rest & reader[band]
                rest = rest - reader[band]
        yield from rest
