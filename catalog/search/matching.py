"""Which goods answer one part of a search, and how well."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise

from pyroaring import BitMap

from catalog.search.folding import is_run, pieces, stem
from catalog.search.pinyin import begun_syllables, syllables
from catalog.search.query import Part, Phrase
from catalog.search.reading import NOTHING, Reader, common, union
from catalog.search.terms import BRAND, CATEGORY, GOODS, PREFIX, SHORT_RUN, TOP, pairs, size

# Typed letters that mean a beginning even where they are a word themselves.
ALWAYS_BEGINNING = 2
# Two initials fit almost anything; three neighbours tell something.
MIN_INITIALS = 3
# The two kinds of categories, and the labels of their goods.
_SHELVES = {CATEGORY: "category", TOP: "top"}
MAX_SHELVES = 20


class Matcher:
    """Answers parts from what a reader holds."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def load(self, parts: Iterable[Part], also: Iterable[str] = ()) -> None:
        """Read what `exactly` and `well` look at, and what the caller does: two queries at most."""
        terms = [term for part in parts for term in _terms(part)]
        beginnings = {
            f"{GOODS}p{word}" for part in parts for word in _latin(part.words) if len(word) <= PREFIX
        }
        shelves = (kind + term for term in terms for kind in _SHELVES if term[0] in "wez")
        self.reader.load_names(terms, [*also, *beginnings, *shelves])

    def exactly(self, part: Part) -> BitMap:
        """Return the goods whose own names have the part's words, its run as typed, or its sound."""
        words = common(self._named(word) for word in part.words)
        return words | self._sounding(part.words) if _is_sound(part) else words

    def well(self, part: Part) -> BitMap:
        """Return the goods that have the part in their names or brands, by other words or by sound too."""
        found = [self.exactly(part)]
        sounding = self._sounding(part.words) if _is_sound(part) else NOTHING
        found.append(common(self._named_or_branded(word, by_sound=not sounding) for word in part.words))
        found += [self._phrase(phrase) for phrase in part.synonyms]
        if part.pieces:
            found.append(common(self.well(piece) for piece in part.pieces))
        return union(found)

    def load_loosely(self, parts: Iterable[Part]) -> None:
        """Read what `loosely` looks at; a query, and three for each word that is a beginning."""
        words = [word for part in parts for word in part.words]
        self.reader.load_names(
            term
            for word in words
            for term in ((f"z{letter}" for letter in word) if is_run(word) else _initials(word))
        )
        for word in words:
            if not is_run(word):
                self.reader.load_begun(*_beginnings(word))

    def loosely(self, part: Part) -> BitMap:
        """Return the goods that nearly have the part: all characters, the beginning, or the initials."""
        return common(self._nearly(word) for word in part.words)

    def of_categories_called(self, names: Sequence[Phrase]) -> BitMap:
        """Return the goods of the categories that have one of the names; two queries."""
        self.reader.load(f"{kind}n{size(name)}" for name in names for kind in _SHELVES)
        return self._of_categories(
            {
                kind: union(
                    self._categories(kind, name) & self.reader[f"{kind}n{size(name)}"] for name in names
                )
                for kind in _SHELVES
            }
        )

    def of_categories_with(self, part: Part) -> BitMap:
        """Return the goods of the categories whose names have the part's words; a query."""
        return self._of_categories({kind: self._categories(kind, part.words) for kind in _SHELVES})

    def _categories(self, kind: str, words: Phrase) -> BitMap:
        return common(_said(lambda term: self.reader[kind + term], word) for word in words)

    def _of_categories(self, found: dict[str, BitMap]) -> BitMap:
        labels = [
            f"{GOODS}l{label}:{pk}"
            for kind, label in _SHELVES.items()
            for pk in islice(found[kind], MAX_SHELVES)
        ]
        self.reader.load(labels)
        return union(self.reader[label] for label in labels)

    def _named(self, word: str) -> BitMap:
        names = self.reader.in_names
        if is_run(word):
            return _said(names, word)
        parts = pieces(word)
        said = _said(names, word) | names(f"u{word}")
        return said or (common(names(f"w{piece}") for piece in parts) if len(parts) > 1 else NOTHING)

    def _named_or_branded(self, word: str, *, by_sound: bool) -> BitMap:
        if is_run(word):
            return _said(self.reader.named_or_branded, word)
        found = [
            self._named(word),
            _said(self.reader.named_or_branded, word),
            self.reader.named_or_branded(f"u{word}"),
            self.reader.named_or_branded(f"o{word}"),
        ]
        if by_sound:
            found.append(self._sounding((word,)))
        known = any(found[:3])
        if len(word) <= ALWAYS_BEGINNING or (not known and len(word) <= PREFIX):
            found.append(self.reader.in_names(f"p{word}"))
        if not known:
            found.append(self.reader.named_or_branded(f"y{word}"))
        return union(found)

    def _phrase(self, phrase: Phrase) -> BitMap:
        return common(self._named(word) for word in phrase)

    def _sounding(self, words: Phrase) -> BitMap:
        return union(
            _cover([self.reader.named_or_branded(f"s{sound}") for sound in _neighbours(way)])
            for way in _ways_to_say(words)
        )

    def _nearly(self, word: str) -> BitMap:
        if is_run(word):
            return common(self.reader.named_or_branded(f"z{letter}") for letter in word)
        begun = union(self.reader.begun(prefix) for prefix in _beginnings(word) if prefix[0] == GOODS)
        brands = union(self.reader.begun(prefix) for prefix in _beginnings(word) if prefix[0] == BRAND)
        found = begun | self.reader.of_brand_ids(brands)
        return found or common(self.reader.named_or_branded(term) for term in _initials(word))


def _terms(part: Part) -> Iterator[str]:
    for word in part.words:
        yield from _run_or_word_terms(word)
        if not is_run(word):
            yield from (f"u{word}", f"o{word}")
            if 1 < len(word) <= SHORT_RUN:
                yield f"y{word}"
            yield from (f"w{piece}" for piece in pieces(word))
            yield from (f"s{sound}" for way in syllables(word) for sound in _neighbours(way))
    if _is_sound(part):
        yield from (f"s{sound}" for way in _ways_to_say(part.words) for sound in _neighbours(way))
    for phrase in part.synonyms:
        yield from (term for word in phrase for term in _run_or_word_terms(word))
    for piece in part.pieces:
        yield from _terms(piece)


def _run_or_word_terms(word: str) -> list[str]:
    return [f"z{pair}" for pair in _pairs(word)] if is_run(word) else [f"w{stem(word)}", f"e{stem(word)}"]


def _said(ids: Callable[[str], BitMap], word: str) -> BitMap:
    """Return what has a word or run, given how the ids of a term are had."""
    found = [ids(term) for term in _run_or_word_terms(word)]
    return _cover(found) if is_run(word) else union(found)


def _pairs(run: str) -> list[str]:
    return pairs(run) or [run]


def _neighbours(way: Phrase) -> list[str]:
    return [f"{first} {second}" for first, second in pairwise(way)] or list(way)


def _is_sound(part: Part) -> bool:
    return len(part.words) > 1 and all(map(syllables, part.words))


def _ways_to_say(words: Phrase) -> tuple[Phrase, ...]:
    """Return the ways to read words as syllables; those of several words by the likeliest of each."""
    if len(words) == 1:
        return syllables(words[0])
    return (tuple(sound for word in words for sound in syllables(word)[0]),)


def _latin(words: Phrase) -> Iterator[str]:
    return (word for word in words if not is_run(word))


def _beginnings(word: str) -> list[str]:
    """Return the prefixes of terms that a word may be the beginning of."""
    found = [f"{GOODS}w{word}", f"{BRAND}w{word}"] if len(word) > PREFIX else []
    begun = begun_syllables(word)
    if begun and not syllables(word):
        whole, beginning = begun
        found.append(f"{GOODS}s{whole[-1]} {beginning}")
    return found


def _initials(word: str) -> list[str]:
    if len(word) < MIN_INITIALS or not word.isalpha():
        return []
    return [f"i{word[start : start + 3]}" for start in range(len(word) - 2)]


def _cover(neighbours: list[BitMap]) -> BitMap:
    """Return what has every character of a run in one of its pairs, given the pairs' bitmaps in order.

    So a run that was typed across the words of a name is found, and characters that lie about are not.
    """
    if len(neighbours) == 1:
        return neighbours[0]
    inner = [first | second for first, second in pairwise(neighbours)]
    return common([neighbours[0], *inner, neighbours[-1]])
