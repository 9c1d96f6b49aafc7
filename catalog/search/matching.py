"""Matches products with one part of a search: exactly, in any form, or fuzzily."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise

from pyroaring import BitMap

from catalog.search.folding import is_run, pieces, stem
from catalog.search.pinyin import syllables, syllables_and_prefix
from catalog.search.postings import NOTHING, PostingReader, intersection, union
from catalog.search.query import QueryPart
from catalog.search.terms import BRAND, CATEGORY, PREFIX, PRODUCT, SHORT_RUN, TOP, pairs
from catalog.search.thesaurus import Phrase

# Words with so few letters are prefixes too, even if a name contains them as a word.
ALWAYS_PREFIX = 2
# Two initials match almost any name.
MIN_INITIALS = 3
# The two kinds of categories, and the labels of their products.
_CATEGORY_KINDS = {CATEGORY: "category", TOP: "top"}
MAX_CATEGORIES = 60


class Matcher:
    """Matches the parts of a search with the postings that a reader has loaded."""

    def __init__(self, reader: PostingReader) -> None:
        self.reader = reader

    def load(self, parts: Iterable[QueryPart], further_terms: Iterable[str] = ()) -> None:
        """Read the terms for `exact` and `any_form`, and further terms of the caller; at most two queries."""
        terms = [term for part in parts for term in _terms(part)]
        beginnings = {
            f"{PRODUCT}p{word}" for part in parts for word in _latin_words(part.words) if len(word) <= PREFIX
        }
        in_categories = (kind + term for term in terms for kind in _CATEGORY_KINDS if term[0] in "wezsuy")
        diets = (_suits(part.diet) for whole in parts for part in (whole, *whole.pieces) if part.diet)
        self.reader.load_names(terms, [*further_terms, *beginnings, *in_categories, *diets])

    def exact(self, part: QueryPart) -> BitMap:
        """Return the products whose own names contain the part's words, its run as typed, or its pinyin."""
        words = intersection(self._named(word) for word in part.words)
        return words | self._by_pinyin(part.words) if _is_pinyin(part) else words

    def as_typed(self, part: QueryPart) -> BitMap:
        """Return the products with the part in names or brands, as typed or as pinyin."""
        sounding = self._by_pinyin(part.words) if _is_pinyin(part) else NOTHING
        branded = intersection(self._named_or_branded(word, by_pinyin=not sounding) for word in part.words)
        return self.exact(part) | branded | self._suiting(part)

    def any_form(self, part: QueryPart, typed: BitMap | None = None) -> BitMap:
        """Return the products with the part in names or brands, as typed, as pinyin or as a synonym.

        `typed`: the result of `as_typed`, if the caller has it.
        """
        found = [self.as_typed(part) if typed is None else typed]
        found += [self._phrase(phrase) for phrase in part.synonyms]
        if part.by_initials and not any(found):
            found += [self._phrase(phrase) for phrase in part.by_initials]
        if part.pieces:
            found.append(intersection(self.any_form(piece) for piece in part.pieces))
        return union(found)

    def _suiting(self, part: QueryPart) -> BitMap:
        """Return the products whose data promise the diet that a part names."""
        return self.reader[_suits(part.diet)] if part.diet else NOTHING

    def load_fuzzy(self, parts: Iterable[QueryPart]) -> None:
        """Read the terms for `fuzzy`; one query, and up to three for each word that may be a prefix."""
        words = [word for part in parts for word in part.words]
        self.reader.load_names(
            term
            for word in words
            for term in ((f"z{letter}" for letter in word) if is_run(word) else _initials(word))
        )
        for word in words:
            if not is_run(word):
                self.reader.load_prefixes(*_prefix_terms(word))

    def fuzzy(self, part: QueryPart) -> BitMap:
        """Return the products that contain the part's characters, its prefix or its initials."""
        return intersection(self._fuzzy_word(word) for word in part.words)

    def categories(self, part: QueryPart) -> BitMap:
        """Return the ids of the categories whose names contain a part, its synonyms or pinyin."""
        if part.diet:
            return NOTHING
        phrases = [part.words, *part.synonyms]
        found = [self._categories(phrase) for phrase in phrases if _is_specific(phrase)]
        found += [self._categories_by_pinyin(word) for word in part.words if len(part.words) == 1]
        if _is_pinyin(part):
            found.append(self._categories_by_sounds(part.words))
        if part.by_initials and not any(found):
            found += [self._categories(phrase) for phrase in part.by_initials]
        if part.pieces:
            found.append(intersection(self.categories(piece) for piece in part.pieces))
        return union(found)

    def load_categories(self, categories: BitMap) -> None:
        """Read the products of at most MAX_CATEGORIES categories; one query."""
        self.reader.load(map(_product_label, self._labels(categories)))

    def in_categories(self, categories: BitMap) -> BitMap:
        """Return the products of loaded categories."""
        return union(self.reader[_product_label(label)] for label in self._labels(categories))

    @staticmethod
    def _labels(categories: BitMap) -> Iterator[str]:
        return (
            f"{label}:{pk}" for pk in islice(categories, MAX_CATEGORIES) for label in _CATEGORY_KINDS.values()
        )

    def _in_category_names(self, term: str) -> BitMap:
        return union(self.reader[kind + term] for kind in _CATEGORY_KINDS)

    def _categories(self, phrase: Phrase) -> BitMap:
        return intersection(_with_word(self._in_category_names, word) for word in phrase)

    def _categories_by_pinyin(self, word: str) -> BitMap:
        """Return the categories with a word in the pinyin of their names, or their initials."""
        return union(
            [
                self._in_category_names(f"u{word}"),
                self._in_category_names(f"y{word}"),
                self._categories_by_sounds((word,)),
            ]
        )

    def _categories_by_sounds(self, words: Phrase) -> BitMap:
        return union(
            _covering([self._in_category_names(f"s{sound}") for sound in _neighbours(way)])
            for way in _syllable_readings(words)
            if len(way) > 1
        )

    def _named(self, word: str) -> BitMap:
        names = self.reader.in_names
        if is_run(word):
            return _with_word(names, word)
        parts = pieces(word)
        whole = _with_word(names, word) | names(f"u{word}")
        return whole or (intersection(names(f"w{piece}") for piece in parts) if len(parts) > 1 else NOTHING)

    def _named_or_branded(self, word: str, *, by_pinyin: bool) -> BitMap:
        if is_run(word):
            return _with_word(self.reader.named_or_branded, word)
        found = [
            self._named(word),
            _with_word(self.reader.named_or_branded, word),
            self.reader.named_or_branded(f"u{word}"),
            self.reader.named_or_branded(f"o{word}"),
        ]
        if by_pinyin:
            found.append(self._by_pinyin((word,)))
        known = any(found[:3])
        if len(word) <= ALWAYS_PREFIX or (not known and len(word) <= PREFIX):
            found.append(self.reader.in_names(f"p{word}"))
        if not known:
            found.append(self.reader.named_or_branded(f"y{word}"))
        return union(found)

    def _phrase(self, phrase: Phrase) -> BitMap:
        return intersection(self._named(word) for word in phrase)

    def _by_pinyin(self, words: Phrase) -> BitMap:
        return union(
            _covering([self.reader.named_or_branded(f"s{sound}") for sound in _neighbours(way)])
            for way in _syllable_readings(words)
        )

    def _fuzzy_word(self, word: str) -> BitMap:
        if is_run(word):
            return intersection(self.reader.named_or_branded(f"z{letter}") for letter in word)
        with_prefix = union(
            self.reader.with_prefix(prefix) for prefix in _prefix_terms(word) if prefix[0] == PRODUCT
        )
        brands = union(
            self.reader.with_prefix(prefix) for prefix in _prefix_terms(word) if prefix[0] == BRAND
        )
        found = with_prefix | self.reader.of_brand_ids(brands)
        return found or intersection(self.reader.named_or_branded(term) for term in _initials(word))


def _terms(part: QueryPart) -> Iterator[str]:
    for word in part.words:
        yield from _run_or_word_terms(word)
        if not is_run(word):
            yield from (f"u{word}", f"o{word}")
            if 1 < len(word) <= SHORT_RUN:
                yield f"y{word}"
            yield from (f"w{piece}" for piece in pieces(word))
            yield from (f"s{sound}" for way in syllables(word) for sound in _neighbours(way))
    if _is_pinyin(part):
        yield from (f"s{sound}" for way in _syllable_readings(part.words) for sound in _neighbours(way))
    for phrase in (*part.synonyms, *part.by_initials):
        yield from (term for word in phrase for term in _run_or_word_terms(word))
    for piece in part.pieces:
        yield from _terms(piece)


def _run_or_word_terms(word: str) -> list[str]:
    return [f"z{pair}" for pair in _pairs(word)] if is_run(word) else [f"w{stem(word)}", f"e{stem(word)}"]


def _with_word(ids: Callable[[str], BitMap], word: str) -> BitMap:
    """Return the ids with a word or run; `ids` returns the ids of a term."""
    found = [ids(term) for term in _run_or_word_terms(word)]
    return _covering(found) if is_run(word) else union(found)


def _pairs(run: str) -> list[str]:
    return pairs(run) or [run]


def _neighbours(way: Phrase) -> list[str]:
    return [f"{first} {second}" for first, second in pairwise(way)] or list(way)


def _is_pinyin(part: QueryPart) -> bool:
    return len(part.words) > 1 and all(map(syllables, part.words))


def _syllable_readings(words: Phrase) -> tuple[Phrase, ...]:
    """Return the ways to read words as syllables; for several words, only the likeliest of each."""
    if len(words) == 1:
        return syllables(words[0])
    return (tuple(sound for word in words for sound in syllables(word)[0]),)


def _is_specific(phrase: Phrase) -> bool:
    """Return True unless a phrase is a single character, which is part of too many names."""
    return len(phrase) > 1 or not is_run(phrase[0]) or len(phrase[0]) > 1


def _suits(diet: str) -> str:
    return f"{PRODUCT}lsuits:{diet}"


def _product_label(label: str) -> str:
    return f"{PRODUCT}l{label}"


def _latin_words(words: Phrase) -> Iterator[str]:
    return (word for word in words if not is_run(word))


def _prefix_terms(word: str) -> list[str]:
    """Return the prefixes of terms that may complete a word."""
    found = [f"{PRODUCT}w{word}", f"{BRAND}w{word}"] if len(word) > PREFIX else []
    with_prefix = syllables_and_prefix(word)
    if with_prefix and not syllables(word):
        whole, beginning = with_prefix
        found.append(f"{PRODUCT}s{whole[-1]} {beginning}")
    return found


def _initials(word: str) -> list[str]:
    if len(word) < MIN_INITIALS or not word.isalpha():
        return []
    return [f"i{word[start : start + 3]}" for start in range(len(word) - 2)]


def _covering(neighbours: list[BitMap]) -> BitMap:
    """Return the ids that have every character of a run in a pair; `neighbours`: the pairs' bitmaps in order.

    This finds a run that was typed across the words of a name, but no scattered characters.
    """
    if len(neighbours) == 1:
        return neighbours[0]
    inner = [first | second for first, second in pairwise(neighbours)]
    return intersection([neighbours[0], *inner, neighbours[-1]])
