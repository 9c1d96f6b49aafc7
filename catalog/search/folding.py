"""Folds texts to one spelling and splits them into words."""

import re
import unicodedata
from functools import cache, lru_cache

import opencc

# Scripts without spaces between words: Han, kana and Hangul.
_RUN = r"\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_UNITS = "kg|mg|g|ml|l|cm|mm|m|pack|pcs|bags|rolls|段|克|毫升|升|公斤|千克"
_TOKEN = re.compile(
    rf"(?P<measure>\d+(?:\.\d+)?\s?(?:{_UNITS})(?![a-z0-9]))|\d+\.\d+|[{_RUN}]+|[^\W_{_RUN}]+"
)
_RUN_START = re.compile(rf"[{_RUN}]")
_NUMBER_OR_LETTERS = re.compile(r"\d+(?:\.\d+)?|[^\d.]+")
# Apostrophes and invisible characters: pasted texts contain soft hyphens, joiners and direction marks.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"
_IGNORED = str.maketrans("", "", "'’‘`´ʼ" + _INVISIBLE)


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


@lru_cache(50_000)
def _fold_letter(letter: str) -> str:
    """Return a letter in lower case and simplified script, without accent."""
    if _RUN_START.match(letter):
        # Each character is converted alone, because a query must fold like the name that contains it.
        simplified: str = _converter().convert(letter)
        return simplified if len(simplified) == 1 else letter
    bare = "".join(c for c in unicodedata.normalize("NFD", letter) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", bare or letter)


def fold(text: str) -> str:
    """Return a text in lower case and simplified script, without accents and ignored characters."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_IGNORED)
    return plain if plain.isascii() else "".join(map(_fold_letter, plain))


def tokens(folded: str) -> list[str]:
    """Return the words, measures (numbers with units) and unspaced runs of a folded text, in order."""
    return [match[0].replace(" ", "") for match in _TOKEN.finditer(folded)]


def phrase(folded: str) -> str:
    """Return the tokens of a folded text, joined by single spaces."""
    return " ".join(tokens(folded))


def is_run(token: str) -> bool:
    """Return True if a token's script has no spaces between words."""
    return bool(_RUN_START.match(token))


def pieces(word: str) -> list[str]:
    """Return the letters and numbers in a word such as `umf10`; a measure such as `25g` stays whole."""
    return [word] if word[0].isdigit() else _NUMBER_OR_LETTERS.findall(word)


@lru_cache(20_000)
def stem(word: str) -> str:
    """Return the common part of the singular and plural of an English word."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith(("sses", "shes", "ches", "xes", "zes")) or (word.endswith("oes") and len(word) > 5):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if len(word) > 3 and word.endswith("ie"):
        return word[:-2] + "y"
    return word[:-1] + "y" if len(word) > 3 and word.endswith("i") else word
