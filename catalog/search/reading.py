"""The postings one search reads: each once, many by one query."""

from collections.abc import Iterable
from itertools import islice

from pyroaring import BitMap

from catalog.search import index
from catalog.search.terms import BRAND, GOODS

NOTHING = BitMap()
# What one search may read at most.
MAX_TERMS, MAX_BRANDS, MAX_RANGE_ROWS = 300, 40, 1500


class Reader:
    """Bitmaps of terms, kept for the length of one search."""

    def __init__(self) -> None:
        self._held: dict[str, BitMap] = {}
        self._begun: dict[str, BitMap] = {}
        self.queries = 0

    def load(self, terms: Iterable[str]) -> None:
        """Read those terms that have not been read yet; one query at most."""
        missing = list(dict.fromkeys(term for term in terms if term not in self._held))
        missing = missing[: max(0, MAX_TERMS - len(self._held))]
        if missing:
            self.queries += 1
            self._held |= dict.fromkeys(missing, NOTHING) | index.bitmaps(missing)

    def load_names(self, terms: Iterable[str], also: Iterable[str] = ()) -> None:
        """Read what goods and brands have of terms, then the goods of those brands; two queries at most.

        `also`: further terms for the first of them, each with the letter for its kind of thing.
        """
        wanted = list(terms)
        self.load([*also, *(kind + term for term in wanted for kind in (GOODS, BRAND))])
        self.load(self._label(brand) for term in wanted for brand in islice(self[BRAND + term], MAX_BRANDS))

    def load_begun(self, *prefixes: str) -> None:
        """Read all terms that begin so, each prefix up to a bound; one query for each."""
        for prefix in prefixes:
            if prefix not in self._begun:
                self.queries += 1
                self._begun[prefix] = union(index.begun_with(prefix, MAX_RANGE_ROWS).values())

    def __getitem__(self, term: str) -> BitMap:
        """Return the ids of a term that has been loaded; none if it has not."""
        return self._held.get(term, NOTHING)

    def begun(self, prefix: str) -> BitMap:
        """Return the ids of all terms that begin so, loaded before."""
        return self._begun.get(prefix, NOTHING)

    def in_names(self, term: str) -> BitMap:
        """Return the goods whose own names have a term."""
        return self[GOODS + term]

    def of_brands(self, term: str) -> BitMap:
        """Return the goods of the brands whose names have a term."""
        return self.of_brand_ids(self[BRAND + term])

    def of_brand_ids(self, brands: BitMap) -> BitMap:
        """Return the goods of brands, as far as those have been loaded."""
        return union(self[self._label(brand)] for brand in islice(brands, MAX_BRANDS))

    def named_or_branded(self, term: str) -> BitMap:
        """Return the goods that have a term in their own names or their brands'."""
        return self.in_names(term) | self.of_brands(term)

    @staticmethod
    def _label(brand: int) -> str:
        return f"{GOODS}lbrand:{brand}"


def union(parts: Iterable[BitMap]) -> BitMap:
    """Return what is in any of the bitmaps."""
    some = [part for part in parts if part]
    return BitMap.union(*some) if some else NOTHING


def common(parts: Iterable[BitMap]) -> BitMap:
    """Return what is in all of the bitmaps; nothing of none."""
    some = sorted(parts, key=len)
    return BitMap.intersection(*some) if some and some[0] else NOTHING
