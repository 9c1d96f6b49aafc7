"""The terms under which the index stores the names, codes and labels of an entry.

A term is one letter for the kind of entry, one for the kind of term, and a text:
`w` word, `e` the stem if it differs from the word, `p` the first letters,
`o` measure of the pack, `z` character or pair of characters, `r` short run,
`s` syllable or pair of syllables, `i` initials (two or three neighbours), `y` all initials of a short run
or a brand, `u` pinyin of a short run or name of a brand as one word, `n` size of a name, `h` its last word,
`k` piece of a code, `l` label.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, product

from catalog.search.folding import fold, is_run, pieces, stem, tokens
from catalog.search.pinyin import pronunciations, readings

PRODUCT, BRAND, CATEGORY, TOP = "g", "b", "c", "t"
MAX_WORD = 40
# Runs up to this length are words of their own, and can be typed as initials or pinyin.
SHORT_RUN = 6
CODE_PIECE = 3
# Prefixes up to this length are terms; for longer ones a range of few words is read.
PREFIX = 3
# Words that do not describe a product.
STOP_WORDS = frozenset({"and", "the", "of", "with", "in", "for"})


@dataclass(frozen=True)
class Entry:
    """The indexed facts of a product, brand or category: names, notes such as the pack, codes, labels."""

    id: int
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    labels: frozenset[str] = field(default_factory=frozenset)
    kind: str = PRODUCT


def terms_of(entry: Entry) -> set[str]:
    """Return all terms of an entry, without the letter for its kind."""
    found: set[str] = set()
    for name in entry.names:
        words = tokens(fold(name))
        found.update(*map(token_terms, words))
        found.add(f"n{size(words)}")
        found.update(head_terms(words))
        if entry.kind == BRAND:
            found.update(brand_terms(words))
    found.update(*map(note_terms, entry.notes))
    for code in entry.codes:
        found.update(code_terms(code))
    found.update(f"l{label}" for label in entry.labels)
    return found


@lru_cache(20_000)
def note_terms(note: str) -> tuple[str, ...]:
    """Return the terms of a note; cached, because many products have the same note."""
    found: set[str] = set()
    for token in tokens(fold(note)):
        # Every product has a measure, so a measure has its own kind of term and is not part of a name.
        found.update((f"o{token}",) if token[0].isdigit() else token_terms(token))
    return tuple(found)


@lru_cache(50_000)
def token_terms(token: str) -> tuple[str, ...]:
    """Return the terms of one word or run of a name, without the letter for the kind of entry."""
    return tuple(set(_run_terms(token) if is_run(token) else _word_terms(token[:MAX_WORD])))


def _word_terms(word: str) -> Iterator[str]:
    yield f"w{word}"
    if stem(word) != word:
        yield f"e{stem(word)}"
    yield from (f"p{word[:length]}" for length in range(1, min(PREFIX, len(word)) + 1))
    parts = pieces(word)
    if len(parts) > 1:
        yield from (f"w{part}" for part in parts)


def _run_terms(run: str) -> Iterator[str]:
    yield from (f"z{letter}" for letter in run)
    yield from (f"z{pair}" for pair in pairs(run))
    spoken = readings(run)
    yield from (f"s{sound}" for sound in set().union(*spoken))
    for ways in pairwise(spoken):
        yield from (f"s{first} {second}" for first, second in product(*ways))
    initials = [{sound[0] for sound in ways} for ways in spoken]
    for length in (2, 3):
        for start in range(len(run) - length + 1):
            yield from (f"i{''.join(way)}" for way in product(*initials[start : start + length]))
    if len(run) <= SHORT_RUN:
        yield f"r{run}"
        for way in pronunciations(run):
            yield f"u{''.join(way)}"
            yield f"y{''.join(sound[0] for sound in way)}"


def pairs(run: str) -> list[str]:
    """Return each pair of neighbouring characters in a run."""
    return [first + second for first, second in pairwise(run)]


def brand_terms(words: Sequence[str]) -> Iterator[str]:
    """Yield the terms of a brand's whole name: `leekumkee`, `lkk`. For products there would be too many.

    A name without letters or digits, such as `!!!`, has no words and none of these terms.
    """
    if words:
        yield f"u{''.join(words)[:MAX_WORD]}"
    if 1 < len(words) <= SHORT_RUN and not any(map(is_run, words)):
        yield f"y{''.join(word[0] for word in words)}"


def head_terms(words: Sequence[str]) -> list[str]:
    """Return the terms of a name's last word, except numbers: the kind of product, as tea in milk tea."""
    last = next((word for word in reversed(words) if not word[0].isdigit()), None)
    if last is None:
        return []
    return [f"h{last[-2:]}", f"h{last[-1]}"] if is_run(last) else [f"h{stem(last[:MAX_WORD])}"]


def size(words: Iterable[str]) -> str:
    """Return the size of a name, by which a query finds the names that contain nothing else.

    It is the number of characters of unspaced scripts, a dot and the number of other words.
    """
    letters = others = 0
    for word in words:
        if is_run(word):
            letters += len(word)
        elif word not in STOP_WORDS:
            others += 1
    return f"{letters}.{others}"


def code_terms(code: str) -> Iterator[str]:
    """Yield the terms of a code: its pieces with their positions, and its length.

    One term for each whole code would be one row for each product.
    """
    plain = plain_code(code)
    for start in range(0, len(plain), CODE_PIECE):
        yield f"k{start:02}{plain[start : start + CODE_PIECE]}"
    yield f"k#{len(plain)}"


def plain_code(code: str) -> str:
    """Return the letters and digits of a code."""
    return "".join(filter(str.isalnum, fold(code)))[:MAX_WORD]
