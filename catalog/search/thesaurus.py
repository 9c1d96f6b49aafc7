"""The synonyms of staff, by their words, their pinyin and their initials."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from catalog.search.folding import is_run, stem, tokens
from catalog.search.models import SynonymPhrase
from catalog.search.pinyin import pronunciations

Phrase = tuple[str, ...]
# The most phrases with the same meaning that one search reads.
MAX_SYNONYMS = 16
# Shorter words would sound like many others.
MIN_CHARACTERS = 2


@dataclass(frozen=True)
class Thesaurus:
    """Phrases with the same meaning.

    `phrases`: folded phrase → the other phrases of its synonyms. `pinyin` and `initials`: pinyin of a Chinese
    phrase without spaces, or its initials → all phrases of its synonyms.
    """

    phrases: Mapping[str, tuple[Phrase, ...]]
    pinyin: Mapping[str, tuple[Phrase, ...]]
    initials: Mapping[str, tuple[Phrase, ...]]

    def same(self, words: Phrase) -> tuple[Phrase, ...]:
        """Return the phrases that mean the same as words of a search, also if these are pinyin."""
        return self.phrases.get(" ".join(map(stem, words))) or self.pinyin.get("".join(words), ())


def read_thesaurus() -> Thesaurus:
    """Return all synonyms; one query."""
    return _thesaurus(tuple(SynonymPhrase.objects.order_by("synonym", "pk").values_list("synonym", "text")))


@lru_cache(2)
def _thesaurus(rows: tuple[tuple[int, str], ...]) -> Thesaurus:
    """Return the thesaurus of (synonym, phrase) rows; cached, because staff rarely change them."""
    groups: dict[int, list[str]] = defaultdict(list)
    for synonym, text in rows:
        groups[synonym].append(text)
    phrases: dict[str, dict[Phrase, None]] = defaultdict(dict)
    pinyin: dict[str, dict[Phrase, None]] = defaultdict(dict)
    initials: dict[str, dict[Phrase, None]] = defaultdict(dict)
    for texts in groups.values():
        meanings = [tuple(tokens(text)) for text in texts]
        for text in texts:
            phrases[text].update((other, None) for other in meanings if " ".join(other) != text)
            if len(text) >= MIN_CHARACTERS and is_run(text):
                for way in pronunciations(text):
                    pinyin["".join(way)].update(dict.fromkeys(meanings))
                    initials["".join(sound[0] for sound in way)].update(dict.fromkeys(meanings))
    return Thesaurus(_cut(phrases.items()), _cut(pinyin.items()), _cut(initials.items()))


def _cut(found: Iterable[tuple[str, dict[Phrase, None]]]) -> dict[str, tuple[Phrase, ...]]:
    return {text: tuple(others)[:MAX_SYNONYMS] for text, others in found}
