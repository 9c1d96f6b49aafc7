"""Splits a search into parts; a product must match each of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalog.search.diets import DIETS, PHRASES, phrase_key
from catalog.search.folding import fold, is_run, tokens
from catalog.search.pinyin import syllables
from catalog.search.terms import MAX_WORD, STOP_WORDS
from catalog.search.thesaurus import Phrase, Thesaurus

# Longer texts are not product names and would only cost time.
MAX_QUERY, MAX_TOKENS, MAX_RUN = 100, 8, 24
MAX_PHRASE_WORDS, MAX_PHRASE_LETTERS = 4, 8


@dataclass(frozen=True)
class QueryPart:
    """Neighbouring words, or one unspaced run, that belong together.

    `synonyms`: phrases with the same meaning. `by_initials`: phrases of which a word may be the initials.
    `pieces`: a run, cut at the phrases that it contains. `diet`: the diet that the words mean.
    """

    words: Phrase
    synonyms: tuple[Phrase, ...] = ()
    by_initials: tuple[Phrase, ...] = ()
    pieces: tuple["QueryPart", ...] = ()
    diet: str = ""

    @property
    def text(self) -> str:
        """The words, joined by spaces."""
        return " ".join(self.words)


def words_of(text: str) -> Phrase:
    """Return at most eight words and runs of a search; without stop words, unless it has no other words."""
    found = [token[: MAX_RUN if is_run(token) else MAX_WORD] for token in tokens(fold(text[:MAX_QUERY]))]
    meaningful = [token for token in found if token not in STOP_WORDS] or found
    return tuple(meaningful[:MAX_TOKENS])


def parts_of(words: Phrase, thesaurus: Thesaurus) -> list[QueryPart]:
    """Return the parts of a search."""
    return list(_join_pinyin(_parts(words, thesaurus)))


def _substrings(run: str) -> Iterator[str]:
    for start in range(len(run)):
        for end in range(start + 2, min(start + MAX_PHRASE_LETTERS, len(run)) + 1):
            yield run[start:end]


def _parts(words: Phrase, thesaurus: Thesaurus) -> Iterator[QueryPart]:
    start = 0
    while start < len(words):
        for end in range(min(start + MAX_PHRASE_WORDS, len(words)), start, -1):
            part = _known_part(words[start:end], thesaurus)
            if part or end == start + 1:
                break
        yield part or _unknown_part(words[start], thesaurus)
        start = end


def _known_part(phrase: Phrase, thesaurus: Thesaurus) -> QueryPart | None:
    """Return the part of a phrase with synonyms or of a diet; None for other phrases."""
    if diet := DIETS.get(phrase_key(phrase), ""):
        return QueryPart(phrase, PHRASES[diet], diet=diet)
    synonyms = thesaurus.same(phrase)
    return QueryPart(phrase, synonyms) if synonyms else None


def _unknown_part(word: str, thesaurus: Thesaurus) -> QueryPart:
    if is_run(word):
        return QueryPart((word,), pieces=tuple(_pieces(word, thesaurus)))
    return QueryPart((word,), by_initials=thesaurus.initials.get(word, ()))


def _pieces(run: str, thesaurus: Thesaurus) -> list[QueryPart]:
    """Cut a run at the longest known phrase that it contains; empty if it contains none."""
    known = max((text for text in _substrings(run) if _known_part((text,), thesaurus)), key=len, default="")
    if not known:
        return []
    before, after = run.split(known, 1)
    part = _known_part((known,), thesaurus)
    return [
        *(_pieces(before, thesaurus) or ([QueryPart((before,))] if before else [])),
        *([part] if part else []),
        *(_pieces(after, thesaurus) or ([QueryPart((after,))] if after else [])),
    ]


def _join_pinyin(parts: Iterable[QueryPart]) -> Iterator[QueryPart]:
    """Join neighbouring words that are pinyin: `lao gan ma` is one name."""
    group: list[str] = []
    for part in parts:
        if not (part.synonyms or part.pieces or part.diet) and all(syllables(word) for word in part.words):
            group += part.words
            continue
        if group:
            yield QueryPart(tuple(group))
            group = []
        yield part
    if group:
        yield QueryPart(tuple(group))
