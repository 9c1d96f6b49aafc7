"""The postings of one search, each read once, many per query."""

from collections.abc import Iterable
from itertools import islice

from pyroaring import BitMap

from catalog.search import index
from catalog.search.terms import BRAND, PRODUCT

NOTHING = BitMap()
# Limits of what one search reads.
MAX_TERMS, MAX_BRANDS, MAX_RANGE_ROWS = 500, 40, 1500


class PostingReader:
    """Bitmaps of terms, loaded for one search."""

    def __init__(self) -> None:
        self._loaded: dict[str, BitMap] = {}
        self._by_prefix: dict[str, BitMap] = {}
        self.queries = 0

    def load(self, terms: Iterable[str]) -> None:
        """Read the terms that are not loaded; at most one query."""
        missing = list(dict.fromkeys(term for term in terms if term not in self._loaded))
        missing = missing[: max(0, MAX_TERMS - len(self._loaded))]
        if missing:
            self.queries += 1
            self._loaded |= dict.fromkeys(missing, NOTHING) | index.bitmaps(missing)

    def load_names(self, terms: Iterable[str], further_terms: Iterable[str] = ()) -> None:
        """Read the products and brands of terms, then the products of these brands; at most two queries.

        `further_terms`: terms for the first query, which include the letter for their kind.
        """
        wanted = list(terms)
        self.load([*further_terms, *(kind + term for term in wanted for kind in (PRODUCT, BRAND))])
        self.load(self._label(brand) for term in wanted for brand in islice(self[BRAND + term], MAX_BRANDS))

    def load_prefixes(self, *prefixes: str) -> None:
        """Read all terms with each prefix, up to MAX_RANGE_ROWS postings; one query per prefix."""
        for prefix in prefixes:
            if prefix not in self._by_prefix:
                self.queries += 1
                self._by_prefix[prefix] = union(index.with_prefix(prefix, MAX_RANGE_ROWS).values())

    def __getitem__(self, term: str) -> BitMap:
        """Return the ids of a loaded term; empty if it has not been loaded."""
        return self._loaded.get(term, NOTHING)

    def with_prefix(self, prefix: str) -> BitMap:
        """Return the ids of all terms with a prefix; empty if it has not been loaded."""
        return self._by_prefix.get(prefix, NOTHING)

    def in_names(self, term: str) -> BitMap:
        """Return the products whose own names contain a term."""
        return self[PRODUCT + term]

    def of_brands(self, term: str) -> BitMap:
        """Return the products of the brands whose names contain a term."""
        return self.of_brand_ids(self[BRAND + term])

    def of_brand_ids(self, brands: BitMap) -> BitMap:
        """Return the products of brands; only loaded brands count."""
        return union(self[self._label(brand)] for brand in islice(brands, MAX_BRANDS))

    def named_or_branded(self, term: str) -> BitMap:
        """Return the products with a term in their own name or in the name of their brand."""
        return self.in_names(term) | self.of_brands(term)

    @staticmethod
    def _label(brand: int) -> str:
        return f"{PRODUCT}lbrand:{brand}"


def union(parts: Iterable[BitMap]) -> BitMap:
    """Return the ids in any of the bitmaps."""
    some = [part for part in parts if part]
    return BitMap.union(*some) if some else NOTHING


def intersection(parts: Iterable[BitMap]) -> BitMap:
    """Return the ids in all of the bitmaps; empty without bitmaps."""
    some = sorted(parts, key=len)
    return BitMap.intersection(*some) if some and some[0] else NOTHING
