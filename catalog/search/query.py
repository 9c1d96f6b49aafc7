"""Splits a search into parts; a product must match each of them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalog.search.folding import fold, is_run, stem, tokens
from catalog.search.models import SynonymPhrase
from catalog.search.pinyin import syllables
from catalog.search.terms import MAX_WORD, STOP_WORDS

# Longer texts are not product names and would only cost time.
MAX_QUERY, MAX_TOKENS, MAX_RUN = 100, 8, 24
MAX_PHRASE_WORDS, MAX_PHRASE_LETTERS, MAX_SYNONYMS = 4, 8, 12

Phrase = tuple[str, ...]
# Folded phrase → phrases with the same meaning.
Synonyms = Mapping[str, tuple[Phrase, ...]]


@dataclass(frozen=True)
class QueryPart:
    """Neighbouring words, or one unspaced run, that belong together.

    `synonyms`: phrases with the same meaning. `pieces`: a run, cut at the synonym that it contains.
    """

    words: Phrase
    synonyms: tuple[Phrase, ...] = ()
    pieces: tuple["QueryPart", ...] = ()

    @property
    def text(self) -> str:
        """The words, joined by spaces."""
        return " ".join(self.words)


def words_of(text: str) -> Phrase:
    """Return at most eight words and runs of a search; without stop words, unless it has no other words."""
    found = [token[: MAX_RUN if is_run(token) else MAX_WORD] for token in tokens(fold(text[:MAX_QUERY]))]
    meaningful = [token for token in found if token not in STOP_WORDS] or found
    return tuple(meaningful[:MAX_TOKENS])


def parts_of(words: Phrase, synonyms: Synonyms | None = None) -> list[QueryPart]:
    """Return the parts of a search; one query for the synonyms of its words, none if `synonyms` is given."""
    known = synonyms_of(set(_phrases(words))) if synonyms is None else synonyms
    return list(_join_pinyin(_parts(words, known)))


def synonyms_of(phrases: Collection[str] | None = None) -> Synonyms:
    """Return phrase → phrases with the same meaning, for these phrases or for all; one query."""
    wanted = SynonymPhrase.objects.order_by("synonym", "synonym__phrases")
    if phrases is not None:
        wanted = wanted.filter(text__in=phrases)
    pairs = wanted.values_list("text", "synonym__phrases__text")
    found: dict[str, dict[str, None]] = {}
    for text, other in pairs:
        if other != text and len(found.setdefault(text, {})) < MAX_SYNONYMS:
            found[text][other] = None
    return {text: tuple(tuple(tokens(other)) for other in others) for text, others in found.items()}


def _phrases(words: Phrase) -> Iterator[str]:
    stems = [stem(word) for word in words]
    for start in range(len(words)):
        for end in range(start + 1, min(start + MAX_PHRASE_WORDS, len(words)) + 1):
            yield " ".join(stems[start:end])
        if is_run(words[start]):
            yield from _substrings(words[start])


def _substrings(run: str) -> Iterator[str]:
    for start in range(len(run)):
        for end in range(start + 2, min(start + MAX_PHRASE_LETTERS, len(run)) + 1):
            yield run[start:end]


def _parts(words: Phrase, synonyms: Synonyms) -> Iterator[QueryPart]:
    start = 0
    while start < len(words):
        for end in range(min(start + MAX_PHRASE_WORDS, len(words)), start, -1):
            others = synonyms.get(" ".join(stem(word) for word in words[start:end]))
            if others or end == start + 1:
                part = QueryPart(words[start:end], others or ())
                break
        if len(part.words) == 1 and not part.synonyms and is_run(part.text):
            part = QueryPart(part.words, pieces=tuple(_pieces(part.text, synonyms)))
        yield part
        start += len(part.words)


def _pieces(run: str, synonyms: Synonyms) -> list[QueryPart]:
    """Cut a run at the longest synonym that it contains; empty if it contains none."""
    known = max((text for text in _substrings(run) if text in synonyms), key=len, default="")
    if not known:
        return []
    before, after = run.split(known, 1)
    return [
        *(_pieces(before, synonyms) or ([QueryPart((before,))] if before else [])),
        QueryPart((known,), synonyms[known]),
        *(_pieces(after, synonyms) or ([QueryPart((after,))] if after else [])),
    ]


def _join_pinyin(parts: Iterable[QueryPart]) -> Iterator[QueryPart]:
    """Join neighbouring words that are pinyin: `lao gan ma` is one name."""
    group: list[str] = []
    for part in parts:
        if not part.synonyms and not part.pieces and all(syllables(word) for word in part.words):
            group += part.words
            continue
        if group:
            yield QueryPart(tuple(group))
            group = []
        yield part
    if group:
        yield QueryPart(tuple(group))
