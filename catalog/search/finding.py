"""Finds the products for a search, the most relevant first."""

from collections.abc import Iterable
from dataclasses import dataclass

from pyroaring import BitMap

from catalog.search import corrections
from catalog.search.folding import is_run
from catalog.search.matching import Matcher
from catalog.search.postings import NOTHING, PostingReader, intersection, union
from catalog.search.query import QueryPart, parts_of, words_of
from catalog.search.terms import CODE_PIECE, PRODUCT, code_terms, head_terms, plain_code, size
from catalog.search.thesaurus import Phrase, Thesaurus, read_thesaurus

# If there are fewer matches than a page shows, fuzzy matches and products of categories follow.
MIN_MATCHES = 24


@dataclass(frozen=True)
class Found:
    """The products that a search finds, in tiers without overlap, the most relevant first.

    Tiers: the exact name or code; all words in a name that ends with the last word; all words in the name;
    pinyin and brands; synonyms; fuzzy matches; categories. `categories`: ids of the categories, of both
    levels, that the search names. `searched_instead`: the words that were searched, if no product has the
    typed words. `unknown_diet`: the typed words of a diet that no product found is known to suit; they were
    left out.
    """

    tiers: tuple[BitMap, ...] = ()
    categories: tuple[int, ...] = ()
    searched_instead: str = ""
    unknown_diet: str = ""

    @property
    def has_no_match(self) -> bool:
        """Whether no product matches the typed words."""
        return bool(self.searched_instead or self.unknown_diet) or not any(self.tiers)


def find(word: str, thesaurus: Thesaurus | None = None) -> Found:
    """Return the products on sale that match a search in either language.

    `thesaurus`: all synonyms, if the caller has read them. At most twenty queries, usually two or three,
    independent of the text and the number of products.
    """
    words = words_of(word)
    if not words:
        return Found()
    known = thesaurus or read_thesaurus()
    search = Search(parts_of(words, known), words, word)
    tiers = search.tiers()
    if any(tiers):
        return Found(tiers, search.categories())
    unknown_diet = " ".join(part.text for part in search.parts if part.diet)
    if unknown_diet:
        search = search.without_diets()
        tiers = search.tiers() if search.parts else ()
        if any(tiers):
            return Found(tiers, search.categories(), unknown_diet=unknown_diet)
    for other in corrections.corrected_searches(search.part_matches(), search.reader):
        meant = Search(parts_of(other, known), other, " ".join(other))
        tiers = meant.tiers()
        if any(tiers):
            return Found(tiers, meant.categories(), " ".join(other), unknown_diet)
    return Found(unknown_diet=unknown_diet)


class Search:
    """One search: its parts, and the postings that it has read."""

    def __init__(self, parts: list[QueryPart], words: Phrase, text: str) -> None:
        self.words = words
        self.parts = parts
        self.reader = PostingReader()
        self.matcher = Matcher(self.reader)
        self.code = plain_code(text) if any(map(str.isdigit, text)) else ""
        self._matches: dict[QueryPart, BitMap] = {}

    def tiers(self) -> tuple[BitMap, ...]:
        """Return the matching products in tiers without overlap."""
        codes = (PRODUCT + term for term in code_terms(self.code))
        self.matcher.load(self.parts, [f"{PRODUCT}n{size(self.words)}", self._head_term(), *codes])
        by_name = intersection(self.matcher.exact(part) for part in self.parts)
        typed = {part: self.matcher.as_typed(part) for part in self.parts}
        self._matches = {part: self.matcher.any_form(part, typed[part]) for part in self.parts}
        by_last_word = by_name & self.reader[self._head_term()]
        exact = by_name & self.reader[f"{PRODUCT}n{size(self.words)}"] | self._with_code()
        as_typed, in_any_form = intersection(typed.values()), intersection(self._matches.values())
        tiers = [exact, by_last_word, by_name, as_typed, in_any_form]
        if len(union(tiers)) < MIN_MATCHES:
            tiers += [self._fuzzy_matches(), self._in_categories()]
        return _without_overlap(tiers)

    def categories(self) -> tuple[int, ...]:
        """Return the ids of the categories whose names contain every part; no query."""
        return tuple(intersection(self.matcher.categories(part) for part in self.parts))

    def part_matches(self) -> list[corrections.PartMatches]:
        """Return each part with the products that match it; a run without a match as its pieces."""
        return [
            corrections.PartMatches(part.words, self._matches_of(part), is_known=bool(part.synonyms))
            for whole in self.parts
            for part in (whole.pieces if whole.pieces and not self._matches[whole] else (whole,))
        ]

    def without_diets(self) -> "Search":
        """Return the search without the words of diets."""
        parts = [part for part in self.parts if not part.diet]
        words = tuple(word for part in parts for word in part.words)
        return Search(parts, words, " ".join(words))

    def _matches_of(self, part: QueryPart) -> BitMap:
        found = self._matches.get(part)
        return self.matcher.any_form(part) if found is None else found

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
        """Return True if a part needs fuzzy matching: it has no match, or is a run of over two characters.

        The words of a diet match in full only.
        """
        if part.diet:
            return False
        return not self._matches[part] or (is_run(part.text) and len(part.text) > 2)

    def _with_code_prefix(self) -> BitMap:
        """Return the products whose code begins with the typed code."""
        if len(self.code) < CODE_PIECE:
            return NOTHING
        *whole, last, _length = (PRODUCT + term for term in code_terms(self.code))
        self.reader.load_prefixes(last)
        return intersection([*(self.reader[term] for term in whole), self.reader.with_prefix(last)])

    def _in_categories(self) -> BitMap:
        """Return the products that match each part in any form or by their category; at most one query."""
        leaves = [leaf for part in self.parts for leaf in (part, *part.pieces)]
        named = union(self.matcher.categories(leaf) for leaf in leaves)
        if not named:
            return NOTHING
        self.matcher.load_categories(named)
        return intersection(self._with_category(part) for part in self.parts)

    def _with_category(self, part: QueryPart) -> BitMap:
        """Return the products that match a part or are in its categories; a run also piece by piece."""
        found = [self._matches_of(part), self.matcher.in_categories(self.matcher.categories(part))]
        if part.pieces:
            found.append(intersection(self._with_category(piece) for piece in part.pieces))
        return union(found)


def _without_overlap(tiers: Iterable[BitMap]) -> tuple[BitMap, ...]:
    """Return each tier without the products of the tiers before it."""
    seen = BitMap()
    found = []
    for tier in tiers:
        found.append(tier - seen)
        seen |= tier
    return tuple(found)
