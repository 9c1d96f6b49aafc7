"""Corrections for a search without results: misspelt, joined and split words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Q
from pyroaring import BitMap
from rapidfuzz import process
from rapidfuzz.distance import OSA

from catalog.search.english import is_english
from catalog.search.folding import is_run, stem
from catalog.search.models import Word
from catalog.search.pinyin import pronunciations
from catalog.search.postings import PostingReader, intersection, union
from catalog.search.terms import PRODUCT
from catalog.search.thesaurus import Phrase

# The most words to compare, and the number of closest words to look up.
MAX_CANDIDATES, MAX_NEAREST = 2000, 12
# Shorter words are close to almost any other word.
MIN_LENGTH = 4
# A correction of a word with fewer letters needs other words of the search, or this many products.
LONG_ENOUGH, ENOUGH_PRODUCTS = 5, 2
# The number of letters that a plural may add to its stem.
PLURAL = 2
# Words that alone do not name a kind of product.
GENERAL = frozenset({"food", "product", "fresh", "pack", "食品", "商品", "产品", "新鲜"})


@dataclass(frozen=True)
class PartMatches:
    """One part of a search, and the products that match it; `is_known`: whether it has synonyms."""

    words: Phrase
    products: BitMap
    is_known: bool = False


def corrected_searches(parts: Sequence[PartMatches], reader: PostingReader) -> Iterator[Phrase]:
    """Yield at most three alternative searches, the likeliest first.

    The first joins two neighbouring words. The second corrects each word without a match, and the third
    leaves such words out. If every part has matches but no product matches all parts, the least specific part
    is left out.
    """
    yield from _neighbours_joined(_joined(one.words for one in parts), reader)
    matched = [one for one in parts if one.products]
    if len(matched) == len(parts):
        yield from _without_one_part(parts)
        return
    others = intersection(one.products for one in matched)
    corrected = [one.words if one.products else _corrected(one, others, reader) for one in parts]
    if all(corrected):
        yield _joined(corrected)
    rest = _joined(one.words for one in matched)
    if not GENERAL.issuperset(map(stem, rest)):
        yield rest
        yield from _without_one_part(matched)


def _neighbours_joined(words: Phrase, reader: PostingReader) -> Iterator[Phrase]:
    """Yield the search with the first two neighbours joined that a name writes as one word: `kim chi`."""
    reader.load(f"{PRODUCT}{kind}{stem(a + b)}" for a, b in pairwise(words) for kind in "we")
    for at, (a, b) in enumerate(pairwise(words)):
        if not is_run(a + b) and any(reader[f"{PRODUCT}{kind}{stem(a + b)}"] for kind in "we"):
            yield (*words[:at], a + b, *words[at + 2 :])
            return


def _without_one_part(parts: Sequence[PartMatches]) -> Iterator[Phrase]:
    """Yield the search without the least specific part whose removal gives results."""
    for left_out in sorted(parts, key=_specificity):
        rest = [one for one in parts if one is not left_out]
        if intersection(one.products for one in rest):
            yield _joined(one.words for one in rest)
            return


def _specificity(one: PartMatches) -> tuple[bool, bool, int]:
    """Return the sort key of a part: how much it means.

    A character or two letters mean little, a word with synonyms means a kind of product, and a frequent word
    means less than a rare one.
    """
    text = "".join(one.words)
    return len(text) > (1 if is_run(text) else 2), one.is_known, -len(one.products)


def _joined(phrases: Iterable[Phrase]) -> Phrase:
    return tuple(word for phrase in phrases for word in phrase)


def _corrected(one: PartMatches, others: BitMap, reader: PostingReader) -> Phrase:
    """Return the words of which an unknown word may be a misspelling; empty if there are none.

    A word with synonyms or of the English language is not a misspelling, even if no product has it.
    """
    word = one.words[0]
    if is_run(word):
        return _by_pinyin(word, reader)
    if one.is_known or is_english(word):
        return ()
    return _split_in_two(word, others, reader) or _nearest(word, others, reader)


def _by_pinyin(run: str, reader: PostingReader) -> Phrase:
    """Return the syllables of a run if a name has the same pronunciation: 蚝尤 is 蚝油."""
    for way in pronunciations(run):
        neighbours = [f"{PRODUCT}s{first} {second}" for first, second in pairwise(way)]
        reader.load(neighbours)
        if neighbours and all(reader[term] for term in neighbours):
            return way
    return ()


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
    """Return the most frequent word of a name that differs by one edit; two queries."""
    if len(word) < MIN_LENGTH or not word.isascii() or word.isdigit():
        return ()
    alike = Word.objects.filter(
        Q(initial=word[0]) | Q(initial=word[1]),
        length__range=(len(word) - 1, len(word) + 1 + PLURAL),
    ).values_list("text", flat=True)[:MAX_CANDIDATES]
    # A plural is as close as its singular.
    written = {stem(text): text for text in alike} | {text: text for text in alike}
    nearest = process.extract(word, list(written), scorer=OSA.distance, score_cutoff=1, limit=MAX_NEAREST)
    names = [written[text] for text, _distance, _place in nearest]
    reader.load_names(f"{kind}{name}" for name in names for kind in "wu")
    counts = {name: _frequency(name, others, reader) for name in names}
    best = max(counts, key=lambda name: (counts[name], name), default="")
    enough = 1 if others or len(word) >= LONG_ENOUGH else ENOUGH_PRODUCTS
    return (best,) if best and counts[best] >= enough else ()


def _frequency(name: str, others: BitMap, reader: PostingReader) -> int:
    """Return how many products have a word, of those that match the other words."""
    products = union(reader.named_or_branded(f"{kind}{name}") for kind in "wu")
    return len(products & others) if others else len(products)
