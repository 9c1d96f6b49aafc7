"""Finds the products for a search, the most relevant first."""

from collections.abc import Iterable
from dataclasses import dataclass

from pyroaring import BitMap

from catalog.search import corrections
from catalog.search.folding import is_run
from catalog.search.matching import Matcher
from catalog.search.postings import NOTHING, PostingReader, intersection, union
from catalog.search.query import Phrase, QueryPart, Synonyms, parts_of, words_of
from catalog.search.terms import CODE_PIECE, PRODUCT, code_terms, head_terms, plain_code, size

# If there are fewer matches than a page shows, fuzzy matches follow.
MIN_MATCHES = 24


@dataclass(frozen=True)
class Found:
    """The products that a search finds, in tiers without overlap, the most relevant first.

    Tiers: the exact name or code; all words in a name that ends with the last word; all words in the name;
    synonyms, pinyin and brands; fuzzy matches and categories. `searched_instead`: the corrected words, if the
    typed words find nothing.
    """

    tiers: tuple[BitMap, ...] = ()
    searched_instead: str = ""

    @property
    def has_no_match(self) -> bool:
        """Whether no product matches the typed words."""
        return bool(self.searched_instead) or not any(self.tiers)


def find(word: str, synonyms: Synonyms | None = None) -> Found:
    """Return the products on sale that match a search in either language.

    `synonyms`: all synonyms, if the caller has read them. At most twenty queries, usually two or three,
    independent of the text and the number of products.
    """
    words = words_of(word)
    if not words:
        return Found()
    search = Search(words, word, synonyms)
    tiers = search.tiers()
    if any(tiers):
        return Found(tiers)
    for other in corrections.corrected_searches(search.part_matches(), search.reader):
        tiers = Search(other, " ".join(other), synonyms).tiers()
        if any(tiers):
            return Found(tiers, searched_instead=" ".join(other))
    return Found()


class Search:
    """One search: its parts, and the postings that it has read."""

    def __init__(self, words: Phrase, text: str, synonyms: Synonyms | None = None) -> None:
        self.words = words
        self.parts = parts_of(words, synonyms)
        self.reader = PostingReader()
        self.matcher = Matcher(self.reader)
        self.code = plain_code(text) if any(map(str.isdigit, text)) else ""
        self._matches: dict[QueryPart, BitMap] = {}

    def tiers(self) -> tuple[BitMap, ...]:
        """Return the matching products in tiers without overlap."""
        codes = (PRODUCT + term for term in code_terms(self.code))
        self.matcher.load(self.parts, [f"{PRODUCT}n{size(self.words)}", self._head_term(), *codes])
        by_name = intersection(self.matcher.exact(part) for part in self.parts)
        self._matches = {part: self.matcher.any_form(part) for part in self.parts}
        by_last_word = by_name & self.reader[self._head_term()]
        exact = by_name & self.reader[f"{PRODUCT}n{size(self.words)}"] | self._with_code()
        tiers = [exact, by_last_word, by_name, intersection(self._matches.values())]
        if len(union(tiers)) < MIN_MATCHES:
            tiers.append(self._fuzzy_matches() | self._in_matching_categories())
        return _without_overlap(tiers)

    def part_matches(self) -> list[corrections.PartMatches]:
        """Return each part with the products that match it."""
        return [corrections.PartMatches(part.words, self._matches[part]) for part in self.parts]

    def _head_term(self) -> str:
        """Return the term of names that end with the search's last word."""
        return next((PRODUCT + term for term in head_terms(self.words)), "")

    def _with_code(self) -> BitMap:
        return (
            intersection(self.reader[PRODUCT + term] for term in code_terms(self.code))
            if self.code
            else NOTHING
        )

    def _fuzzy_matches(self) -> BitMap:
        """Return the products that match each part exactly or fuzzily."""
        fuzzy = [part for part in self.parts if self._needs_fuzzy(part)]
        if not fuzzy:
            return self._with_code_prefix()
        self.matcher.load_fuzzy(fuzzy)
        for part in fuzzy:
            self._matches[part] = self._matches[part] | self.matcher.fuzzy(part)
        return intersection(self._matches.values()) | self._with_code_prefix()

    def _needs_fuzzy(self, part: QueryPart) -> bool:
        """Return True if a part needs fuzzy matching: it has no match, or is a run of over two characters."""
        return not self._matches[part] or (is_run(part.text) and len(part.text) > 2)

    def _with_code_prefix(self) -> BitMap:
        """Return the products whose code begins with the typed code."""
        if len(self.code) < CODE_PIECE:
            return NOTHING
        *whole, last, _length = (PRODUCT + term for term in code_terms(self.code))
        self.reader.load_prefixes(last)
        return intersection([*(self.reader[term] for term in whole), self.reader.with_prefix(last)])

    def _in_matching_categories(self) -> BitMap:
        """Return the products of categories that match by whole name, or by a part without a product."""
        names = [self.words]
        if len(self.parts) == 1:
            names += self.parts[0].synonyms
        products = self.matcher.in_categories_named(names)
        unmatched = [part for part in self.parts if not self._matches[part]]
        if unmatched:
            for part in unmatched:
                self._matches[part] = self.matcher.in_categories_with_words(part)
            products = products | intersection(self._matches.values())
        return products


def _without_overlap(tiers: Iterable[BitMap]) -> tuple[BitMap, ...]:
    """Return each tier without the products of the tiers before it."""
    seen = BitMap()
    found = []
    for tier in tiers:
        found.append(tier - seen)
        seen |= tier
    return tuple(found)
