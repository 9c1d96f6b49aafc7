"""Corrections for a search without results: misspelt, joined and split words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Q
from pyroaring import BitMap
from rapidfuzz import process
from rapidfuzz.distance import OSA

from catalog.search.folding import is_run, stem
from catalog.search.models import Word
from catalog.search.pinyin import pronunciations
from catalog.search.postings import PostingReader, intersection, union
from catalog.search.query import Phrase
from catalog.search.terms import PRODUCT, SHORT_RUN

# The most words to compare, and the number of closest words to look up.
MAX_CANDIDATES, MAX_NEAREST = 2000, 12
# Shorter words are close to almost any other word.
MIN_LENGTH, TWO_MISTAKES = 3, 7
# The number of letters that a plural may add to its stem.
PLURAL = 2


@dataclass(frozen=True)
class PartMatches:
    """One part of a search, and the products that match it."""

    words: Phrase
    products: BitMap


def corrected_searches(parts: Sequence[PartMatches], reader: PostingReader) -> Iterator[Phrase]:
    """Yield at most three alternative searches, the likeliest first.

    The first joins two neighbouring words. The second corrects each word without a match, and the third
    leaves such words out. If every part has matches but no product matches all parts, the shortest part is
    left out.
    """
    yield from _neighbours_joined(_joined(one.words for one in parts), reader)
    matched = [one for one in parts if one.products]
    if len(matched) == len(parts):
        yield from _without_one_part(parts)
        return
    others = intersection(one.products for one in matched)
    corrected = [one.words if one.products else _corrected(one.words[0], others, reader) for one in parts]
    if all(corrected):
        yield _joined(corrected)
    if matched:
        yield _joined(one.words for one in matched)


def _neighbours_joined(words: Phrase, reader: PostingReader) -> Iterator[Phrase]:
    """Yield the search with the first two neighbours joined that a name writes as one word: `kim chi`."""
    reader.load(f"{PRODUCT}{kind}{stem(a + b)}" for a, b in pairwise(words) for kind in "we")
    for at, (a, b) in enumerate(pairwise(words)):
        if not is_run(a + b) and any(reader[f"{PRODUCT}{kind}{stem(a + b)}"] for kind in "we"):
            yield (*words[:at], a + b, *words[at + 2 :])
            return


def _without_one_part(parts: Sequence[PartMatches]) -> Iterator[Phrase]:
    """Yield the search without the shortest, least specific part whose removal gives results."""
    for left_out in sorted(parts, key=lambda one: len("".join(one.words))):
        rest = [one for one in parts if one is not left_out]
        if intersection(one.products for one in rest):
            yield _joined(one.words for one in rest)
            return


def _joined(phrases: Iterable[Phrase]) -> Phrase:
    return tuple(word for phrase in phrases for word in phrase)


def _corrected(word: str, others: BitMap, reader: PostingReader) -> Phrase:
    """Return the words of which an unknown word may be a misspelling; empty if there are none."""
    if is_run(word):
        return _by_pinyin(word, reader) or _without_a_character(word, reader)
    return _split_in_two(word, others, reader) or _nearest(word, others, reader)


def _by_pinyin(run: str, reader: PostingReader) -> Phrase:
    """Return the syllables of a run if a name has the same pronunciation: 蚝尤 is 蚝油."""
    for way in pronunciations(run):
        neighbours = [f"{PRODUCT}s{first} {second}" for first, second in pairwise(way)]
        reader.load(neighbours)
        if neighbours and all(reader[term] for term in neighbours):
            return way
    return ()


def _without_a_character(run: str, reader: PostingReader) -> Phrase:
    """Return a run of three to six characters without its wrong character, as single characters."""
    if not 3 <= len(run) <= SHORT_RUN:
        return ()
    rests = [run[:wrong] + run[wrong + 1 :] for wrong in range(len(run))]
    reader.load(f"{PRODUCT}z{letter}" for letter in run)
    found = [(len(intersection(reader[f"{PRODUCT}z{letter}"] for letter in rest)), rest) for rest in rests]
    return tuple(min(((size, rest) for size, rest in found if size), default=(0, ""))[1])


def _split_in_two(word: str, others: BitMap, reader: PostingReader) -> Phrase:
    """Return the two words of a joined word if a name contains both: `soymilk`."""
    ways: Sequence[Phrase] = [(word[:cut], word[cut:]) for cut in range(2, len(word) - 1)][:20]
    halves = {part for way in ways for part in way}
    reader.load(f"{PRODUCT}{kind}{stem(part)}" for part in halves for kind in "we")
    known = {part: union(reader[f"{PRODUCT}{kind}{stem(part)}"] for kind in "we") for part in halves}
    found: list[tuple[int, Phrase]] = []
    for way in ways:
        both = intersection(known[part] for part in way)
        found.append((len(both & others if others else both), way))
    most, words = max(found, default=(0, ()))
    return words if most else ()


def _nearest(word: str, others: BitMap, reader: PostingReader) -> Phrase:
    """Return the word of a name with the fewest differences, at most two; two queries."""
    if len(word) < MIN_LENGTH or not word.isascii() or word.isdigit():
        return ()
    mistakes = 2 if len(word) >= TWO_MISTAKES else 1
    alike = Word.objects.filter(
        Q(initial=word[0]) | Q(initial=word[1]),
        length__range=(len(word) - mistakes, len(word) + mistakes + PLURAL),
    ).values_list("text", flat=True)[:MAX_CANDIDATES]
    # A plural is as close as its singular.
    written = {stem(text): text for text in alike} | {text: text for text in alike}
    nearest = [
        (written[text], distance)
        for text, distance, _place in process.extract(
            word, list(written), scorer=OSA.distance, score_cutoff=mistakes, limit=MAX_NEAREST
        )
    ]
    reader.load_names(f"{kind}{text}" for text, _distance in nearest for kind in "wu")
    best: tuple[float, int, str] | None = None
    for text, distance in nearest:
        products = union(reader.named_or_branded(f"{kind}{text}") for kind in "wu")
        count = len(products & others) if others else len(products)
        if count and (best is None or (distance, -count, text) < best):
            best = (distance, -count, text)
    # Words of three letters resemble many words, so the other words of the search must decide.
    if best is None or (len(word) == MIN_LENGTH and not others):
        return ()
    return (best[2],)
