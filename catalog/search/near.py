"""What may have been meant by a search that finds nothing; bounded, and told to whoever searched."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Q
from pyroaring import BitMap
from rapidfuzz import process
from rapidfuzz.distance import OSA

from catalog.search.folding import is_run, stem
from catalog.search.models import Word
from catalog.search.pinyin import sounds
from catalog.search.query import Phrase
from catalog.search.reading import Reader, common, union
from catalog.search.terms import GOODS, SHORT_RUN

# Words to compare with, and how many of the nearest to look up.
MAX_CANDIDATES, MAX_NEAREST = 2000, 12
# A shorter word is near to almost any other one.
MIN_LENGTH, TWO_MISTAKES = 3, 7
# Letters that a plural has more than its stem.
PLURAL = 2


@dataclass(frozen=True)
class Asked:
    """Words of a search that belong together, and the goods that answer them."""

    words: Phrase
    goods: BitMap


def searches(asked: Sequence[Asked], reader: Reader) -> Iterator[Phrase]:
    """Return the searches to try instead, the likeliest first; three at most.

    First neighbours are taken for one word, then each word that nothing answers for a misspelt one, then it
    is left out; where every word is answered, though by no good together, the shortest is left out.
    """
    yield from _as_one(_joined(one.words for one in asked), reader)
    answered = [one for one in asked if one.goods]
    if len(answered) == len(asked):
        yield from _without_one(asked)
        return
    others = common(one.goods for one in answered)
    mended = [one.words if one.goods else _mended(one.words[0], others, reader) for one in asked]
    if all(mended):
        yield _joined(mended)
    if answered:
        yield _joined(one.words for one in answered)


def _as_one(words: Phrase, reader: Reader) -> Iterator[Phrase]:
    """Join the first two neighbours that a name writes as one word: `kim chi`."""
    reader.load(f"{GOODS}{kind}{stem(a + b)}" for a, b in pairwise(words) for kind in "we")
    for at, (a, b) in enumerate(pairwise(words)):
        if not is_run(a + b) and any(reader[f"{GOODS}{kind}{stem(a + b)}"] for kind in "we"):
            yield (*words[:at], a + b, *words[at + 2 :])
            return


def _without_one(asked: Sequence[Asked]) -> Iterator[Phrase]:
    """Leave out one word, so that what remains finds something: the shortest, as it tells least."""
    for left_out in sorted(asked, key=lambda one: len("".join(one.words))):
        rest = [one for one in asked if one is not left_out]
        if common(one.goods for one in rest):
            yield _joined(one.words for one in rest)
            return


def _joined(phrases: Iterable[Phrase]) -> Phrase:
    return tuple(word for phrase in phrases for word in phrase)


def _mended(word: str, others: BitMap, reader: Reader) -> Phrase:
    """Return the words that one nobody knows stands for; nothing if there are none."""
    if is_run(word):
        return _by_sound(word, reader) or _without_a_character(word, reader)
    return _in_two(word, others, reader) or _nearest(word, others, reader)


def _by_sound(run: str, reader: Reader) -> Phrase:
    """Return a run as it is spoken, if names sound so: 蚝尤 is 蚝油."""
    for way in sounds(run):
        neighbours = [f"{GOODS}s{first} {second}" for first, second in pairwise(way)]
        reader.load(neighbours)
        if neighbours and all(reader[term] for term in neighbours):
            return way
    return ()


def _without_a_character(run: str, reader: Reader) -> Phrase:
    """Return a run of three to six characters without the one that is wrong, as single characters."""
    if not 3 <= len(run) <= SHORT_RUN:
        return ()
    rests = [run[:wrong] + run[wrong + 1 :] for wrong in range(len(run))]
    reader.load(f"{GOODS}z{letter}" for letter in run)
    found = [(len(common(reader[f"{GOODS}z{letter}"] for letter in rest)), rest) for rest in rests]
    return tuple(min(((size, rest) for size, rest in found if size), default=(0, ""))[1])


def _in_two(word: str, others: BitMap, reader: Reader) -> Phrase:
    """Return two words that were typed as one, if a name has both: `soymilk`."""
    ways: Sequence[Phrase] = [(word[:cut], word[cut:]) for cut in range(2, len(word) - 1)][:20]
    halves = {part for way in ways for part in way}
    reader.load(f"{GOODS}{kind}{stem(part)}" for part in halves for kind in "we")
    known = {part: union(reader[f"{GOODS}{kind}{stem(part)}"] for kind in "we") for part in halves}
    found: list[tuple[int, Phrase]] = []
    for way in ways:
        both = common(known[part] for part in way)
        found.append((len(both & others if others else both), way))
    most, words = max(found, default=(0, ()))
    return words if most else ()


def _nearest(word: str, others: BitMap, reader: Reader) -> Phrase:
    """Return the word of names that differs least, by a mistake or two; two queries."""
    if len(word) < MIN_LENGTH or not word.isascii() or word.isdigit():
        return ()
    mistakes = 2 if len(word) >= TWO_MISTAKES else 1
    alike = Word.objects.filter(
        Q(initial=word[0]) | Q(initial=word[1]),
        length__range=(len(word) - mistakes, len(word) + mistakes + PLURAL),
    ).values_list("text", flat=True)[:MAX_CANDIDATES]
    # A plural is as near as its singular is.
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
        goods = union(reader.named_or_branded(f"{kind}{text}") for kind in "wu")
        count = len(goods & others) if others else len(goods)
        if count and (best is None or (distance, -count, text) < best):
            best = (distance, -count, text)
    # Three letters are near to much: only what they stand beside tells which is meant.
    if best is None or (len(word) == MIN_LENGTH and not others):
        return ()
    return (best[2],)
