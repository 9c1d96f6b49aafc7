"""Pinyin: the syllables of a run, and the syllables in a Latin word."""

import unicodedata
from functools import lru_cache
from itertools import product

from pypinyin import lazy_pinyin
from pypinyin.constants import PINYIN_DICT

# Characters for which pypinyin returns one reading only, though product names use both.
_READINGS = {
    "长": ("chang", "zhang"),
    "重": ("chong", "zhong"),
    "乐": ("le", "yue"),
    "调": ("tiao", "diao"),
    "蛤": ("ge", "ha"),
    "露": ("lu", "lou"),
    "薄": ("bo", "bao"),
    "芥": ("jie", "gai"),
    "参": ("shen", "can"),
    "咖": ("ka", "ga"),
    "都": ("du", "dou"),
    "行": ("hang", "xing"),
    "壳": ("ke", "qiao"),
}
MAX_SYLLABLE = 6
MAX_READINGS = 4


def _plain(syllable: str) -> str:
    """Return a syllable as people type it: lü as lv, lüe as lue."""
    return syllable.replace("ve", "ue")


@lru_cache(50_000)
def readings(run: str) -> tuple[tuple[str, ...], ...]:
    """Return the possible syllables of each character of a run; empty for characters that are not Han."""
    spoken = lazy_pinyin(run, errors="ignore")
    if len(spoken) != len(run):
        spoken = ["".join(lazy_pinyin(letter, errors="ignore")) for letter in run]
    return tuple(
        _READINGS.get(letter) or ((_plain(sound),) if sound else ())
        for letter, sound in zip(run, spoken, strict=True)
    )


@lru_cache(20_000)
def pronunciations(run: str) -> tuple[tuple[str, ...], ...]:
    """Return the likeliest pronunciations of a run as syllables; empty if a character has none."""
    found = readings(run)
    if not all(found):
        return ()
    return tuple(way for way, _ in zip(product(*found), range(MAX_READINGS), strict=False))


def _all_syllables() -> frozenset[str]:
    toned = {reading for letter in PINYIN_DICT.values() for reading in letter.split(",")}
    spoken = {_plain(_without_tone(reading)) for reading in toned}
    # Interjections such as `m` and `hng` would turn any letters into a word.
    return frozenset(
        sound
        for sound in spoken
        if sound.isascii() and set(sound) & set("aeiouv") and len(sound) <= MAX_SYLLABLE
    )


def _without_tone(reading: str) -> str:
    letters = unicodedata.normalize("NFD", reading).replace("u\u0308", "v")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


SYLLABLES = _all_syllables()
_BEGINNINGS = frozenset(sound[:end] for sound in SYLLABLES for end in range(1, len(sound)))


@lru_cache(5_000)
def syllables(word: str) -> tuple[tuple[str, ...], ...]:
    """Return at most four ways to read a Latin word as syllables, the fewest syllables first."""
    if not word.isascii() or not word.isalpha() or len(word) > 40:
        return ()
    ways: list[list[tuple[str, ...]]] = [[] for _ in range(len(word) + 1)]
    ways[0] = [()]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - MAX_SYLLABLE), end):
            if ways[start] and word[start:end] in SYLLABLES:
                ways[end] += [(*way, word[start:end]) for way in ways[start]]
        ways[end] = sorted(ways[end], key=len)[:MAX_READINGS]
    return tuple(ways[-1])


def syllables_and_prefix(word: str) -> tuple[tuple[str, ...], str] | None:
    """Return the whole syllables and the rest of a word that ends within a syllable; None for other words."""
    for end in range(len(word) - 1, 0, -1):
        if word[end:] in _BEGINNINGS and (whole := syllables(word[:end])):
            return whole[0], word[end:]
    return None
