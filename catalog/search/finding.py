"""Which goods a search finds, the likeliest first."""

from collections.abc import Iterable
from dataclasses import dataclass

from pyroaring import BitMap

from catalog.search import near
from catalog.search.folding import is_run
from catalog.search.matching import Matcher
from catalog.search.query import Part, Phrase, Synonyms, parts_of, words_of
from catalog.search.reading import NOTHING, Reader, common, union
from catalog.search.terms import CODE_PIECE, GOODS, code_terms, head_terms, plain_code, size

# Where fewer goods than a page has are found, what nearly has the words is shown after them.
ENOUGH = 24


@dataclass(frozen=True)
class Found:
    """The goods a search finds, in tiers without overlap, the likeliest first.

    The tiers: the exact name or code; all words in a name that ends with the last one; all words in the
    name; other words, sounds, brands; nearly, and categories. `instead`: the words that were searched
    instead, where those typed find nothing.
    """

    tiers: tuple[BitMap, ...] = ()
    instead: str = ""

    @property
    def is_missed(self) -> bool:
        """Whether nothing has the words that were typed."""
        return bool(self.instead) or not any(self.tiers)


def find(word: str, synonyms: Synonyms | None = None) -> Found:
    """Return the goods on the shelves that a search finds, in either language.

    `synonyms`: all of them, for whoever has them already. However long the text and many the goods: twenty
    queries at most, two or three as a rule.
    """
    words = words_of(word)
    if not words:
        return Found()
    search = Search(words, word, synonyms)
    tiers = search.tiers()
    if any(tiers):
        return Found(tiers)
    for other in near.searches(search.answers(), search.reader):
        tiers = Search(other, " ".join(other), synonyms).tiers()
        if any(tiers):
            return Found(tiers, instead=" ".join(other))
    return Found()


class Search:
    """One search: its parts, and the postings it has read."""

    def __init__(self, words: Phrase, text: str, synonyms: Synonyms | None = None) -> None:
        self.words = words
        self.parts = parts_of(words, synonyms)
        self.reader = Reader()
        self.matcher = Matcher(self.reader)
        self.code = plain_code(text) if any(map(str.isdigit, text)) else ""
        self._well: dict[Part, BitMap] = {}

    def tiers(self) -> tuple[BitMap, ...]:
        """Return what is found, in tiers without overlap."""
        codes = (GOODS + term for term in code_terms(self.code))
        self.matcher.load(self.parts, [f"{GOODS}n{size(self.words)}", self._head(), *codes])
        named = common(self.matcher.exactly(part) for part in self.parts)
        self._well = {part: self.matcher.well(part) for part in self.parts}
        headed = named & self.reader[self._head()]
        exact = named & self.reader[f"{GOODS}n{size(self.words)}"] | self._coded()
        tiers = [exact, headed, named, common(self._well.values())]
        if len(union(tiers)) < ENOUGH:
            tiers.append(self._nearly() | self._in_categories())
        return _apart(tiers)

    def answers(self) -> list[near.Asked]:
        """Return each part and the goods that answer it."""
        return [near.Asked(part.words, self._well[part]) for part in self.parts]

    def _head(self) -> str:
        """Return the term of the names that end as the search does."""
        return next((GOODS + term for term in head_terms(self.words)), "")

    def _coded(self) -> BitMap:
        return common(self.reader[GOODS + term] for term in code_terms(self.code)) if self.code else NOTHING

    def _nearly(self) -> BitMap:
        """Return what has the parts at least nearly."""
        loose = [part for part in self.parts if self._is_loose(part)]
        if not loose:
            return self._code_begun()
        self.matcher.load_loosely(loose)
        for part in loose:
            self._well[part] = self._well[part] | self.matcher.loosely(part)
        return common(self._well.values()) | self._code_begun()

    def _is_loose(self, part: Part) -> bool:
        """Tell whether to be content with less: if nothing is found, or three characters tell enough."""
        return not self._well[part] or (is_run(part.text) and len(part.text) > 2)

    def _code_begun(self) -> BitMap:
        """Return the goods whose code begins as typed."""
        if len(self.code) < CODE_PIECE:
            return NOTHING
        *whole, last, _length = (GOODS + term for term in code_terms(self.code))
        self.reader.load_begun(last)
        return common([*(self.reader[term] for term in whole), self.reader.begun(last)])

    def _in_categories(self) -> BitMap:
        """Return the goods of categories that are called as typed, or that have what no name has."""
        called = [self.words]
        if len(self.parts) == 1:
            called += self.parts[0].synonyms
        goods = self.matcher.of_categories_called(called)
        unanswered = [part for part in self.parts if not self._well[part]]
        if unanswered:
            for part in unanswered:
                self._well[part] = self.matcher.of_categories_with(part)
            goods = goods | common(self._well.values())
        return goods


def _apart(tiers: Iterable[BitMap]) -> tuple[BitMap, ...]:
    """Return the tiers, each without what is in those before."""
    seen = BitMap()
    found = []
    for tier in tiers:
        found.append(tier - seen)
        seen |= tier
    return tuple(found)
