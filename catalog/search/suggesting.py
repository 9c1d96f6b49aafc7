"""Suggestions while a shopper types."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pyroaring import BitMap

from catalog.search import index
from catalog.search.finding import find
from catalog.search.folding import is_run, stem
from catalog.search.postings import PostingReader, intersection, union
from catalog.search.query import words_of
from catalog.search.terms import BRAND, CATEGORY, PRODUCT, SHORT_RUN, TOP, pairs
from catalog.search.thesaurus import Phrase, Thesaurus

# The most postings to read for names with a prefix.
MAX_ROWS = 200
# The labels of popularity, the highest first; usually the first group is enough.
_BANDS = [
    [f"{PRODUCT}lsold:{band}" for band in part]
    for part in (range(31, 8, -1), range(8, 4, -1), range(4, -1, -1))
]


@dataclass(frozen=True)
class Suggestions:
    """Ids of suggestions, the most relevant first; `categories` contains both levels."""

    products: tuple[int, ...] = ()
    brands: tuple[int, ...] = ()
    categories: tuple[int, ...] = ()


def suggest(word: str, limit: int = 6, thesaurus: Thesaurus | None = None) -> Suggestions:
    """Return at most `limit` products, brands and categories each for the text typed so far.

    The last word may be incomplete. `thesaurus`: all synonyms, if the caller has read them. Queries: those of
    `find`, and at most ten.
    """
    words = words_of(word)
    if not words:
        return Suggestions()
    reader = PostingReader()
    reader.load(
        f"{kind}{term}" for kind in (BRAND, CATEGORY, TOP) for typed in words for term in _terms(typed)
    )
    brands, categories, tops = (_named(reader, kind, words) for kind in (BRAND, CATEGORY, TOP))
    found = find(word, thesaurus)
    meant = () if found.searched_instead else found.categories
    return Suggestions(
        products=tuple(islice(_best_sellers_first(found.tiers, limit), limit)),
        brands=tuple(islice(brands, limit)),
        categories=tuple(islice(dict.fromkeys((*tops, *categories, *meant)), limit)),
    )


def _named(reader: PostingReader, kind: str, words: Phrase) -> BitMap:
    """Return brands or categories whose names have all words; the last may be incomplete. Two queries."""
    *whole, last = words
    found = (
        union(reader[kind + term] for term in _terms(last)) if not is_run(last) else _all(reader, kind, last)
    )
    if not is_run(last):
        with_prefix = [index.with_prefix(f"{kind}{letter}{last}", MAX_ROWS) for letter in "wu"]
        found = union([found, *(ids for terms in with_prefix for ids in terms.values())])
    return intersection([found, *(_all(reader, kind, typed) for typed in whole)])


def _all(reader: PostingReader, kind: str, word: str) -> BitMap:
    """Return the ids of names with all pairs of a run, or with a word in any form."""
    found = [reader[kind + term] for term in _terms(word)]
    return intersection(found) if is_run(word) else union(found)


def _terms(word: str) -> list[str]:
    if is_run(word):
        return [f"z{pair}" for pair in pairs(word) or [word]]
    initials = [f"y{word}"] if 1 < len(word) <= SHORT_RUN else []
    return [f"w{stem(word)}", f"e{stem(word)}", f"u{word}", *initials]


def _best_sellers_first(tiers: Sequence[BitMap], limit: int) -> Iterator[int]:
    """Yield the products of each tier, the most sold band first; one query per group of bands."""
    reader = PostingReader()
    for tier in tiers:
        rest = tier
        for bands in _BANDS if len(tier) > limit else ():
            reader.load(bands)
            for band in bands:
                yield from rest & reader[band]
                rest = rest - reader[band]
        yield from rest
