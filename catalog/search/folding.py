"""Folds texts to one spelling and splits them into words."""

import re
import unicodedata
from decimal import Decimal
from functools import cache, lru_cache

import opencc

# Scripts without spaces between words: Han, kana and Hangul.
_RUN = r"\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
# A unit → its metric unit and how many of these it is; other units stay as they are.
_METRIC = {
    **dict.fromkeys(("公斤", "千克", "kilo", "kilos"), ("kg", Decimal(1))),
    "斤": ("kg", Decimal("0.5")),
    **dict.fromkeys(("克", "gram", "grams"), ("g", Decimal(1))),
    **dict.fromkeys(("毫升",), ("ml", Decimal(1))),
    **dict.fromkeys(("升", "litre", "litres", "liter", "liters"), ("l", Decimal(1))),
}
# A small unit → the unit of a thousand of these.
_THOUSAND = {"g": "kg", "ml": "l"}
_UNITS = "|".join([*_METRIC, "kg|mg|g|ml|l|cm|mm|m|pack|pcs|bags|rolls|段"])
_DIGITS = "一二三四五六七八九"
# A number of up to 99 in Chinese before a unit: 三段, 十公斤.
_NUMERAL = re.compile(rf"([{_DIGITS}两]?十[{_DIGITS}]?|[{_DIGITS}两])(?=段|公斤|千克|斤|毫升|升)")
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:\.\d+)?)\s?(?P<unit>{_UNITS})(?![a-z0-9])|\d+\.\d+|[{_RUN}]+|[^\W_{_RUN}]+"
)
_RUN_START = re.compile(rf"[{_RUN}]")
_NUMBER_OR_LETTERS = re.compile(r"\d+(?:\.\d+)?|[^\d.]+")
# Apostrophes and invisible characters: pasted texts contain soft hyphens, joiners and direction marks.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"
_IGNORED = str.maketrans("", "", "'’‘`´ʼ" + _INVISIBLE)


@cache
def _converter(way: str) -> opencc.OpenCC:
    return opencc.OpenCC(way)


@lru_cache(50_000)
def _fold_letter(letter: str) -> str:
    """Return a letter in lower case and simplified script, without accent."""
    if _RUN_START.match(letter):
        # Each character is converted alone, because a query must fold like the name that contains it.
        simplified: str = _converter("t2s").convert(letter)
        if simplified == letter and not _is_chinese(letter):
            simplified = _converter("t2s").convert(_converter("jp2t").convert(letter))
        return simplified if len(simplified) == 1 else letter
    bare = "".join(c for c in unicodedata.normalize("NFD", letter) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", bare or letter)


def _is_chinese(letter: str) -> bool:
    """Return True if Chinese uses a character, even if it means another one in Japanese, as 芸 does."""
    try:
        letter.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def fold(text: str) -> str:
    """Return a text in lower case and simplified script, without accents and ignored characters."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_IGNORED)
    return plain if plain.isascii() else "".join(map(_fold_letter, plain))


def tokens(folded: str) -> list[str]:
    """Return the words, measures and unspaced runs of a folded text, in order.

    Equal measures are one token: 1公斤, 1 kg and 1000 g are `1kg`, 三段 is `3段`.
    """
    plain = folded if folded.isascii() else _NUMERAL.sub(_in_digits, folded)
    return [
        _measure(match["number"], match["unit"]) if match["unit"] else match[0]
        for match in _TOKEN.finditer(plain)
    ]


def _in_digits(numeral: re.Match[str]) -> str:
    """Return a Chinese number in digits."""
    tens, ten, ones = numeral[1].replace("两", "二").rpartition("十")
    value = _DIGITS.index(ones) + 1 if ones else 0
    return str(10 * (_DIGITS.index(tens) + 1 if tens else 1) + value if ten else value)


@lru_cache(5_000)
def _measure(number: str, unit: str) -> str:
    """Return a measure with a metric unit, from 1000 g in kilograms and from 1000 mL in litres."""
    metric, factor = _METRIC.get(unit, (unit, Decimal(1)))
    value = Decimal(number) * factor
    small = next((small for small, large in _THOUSAND.items() if large == metric), "")
    if small and value < 1:
        metric, value = small, value * 1000
    elif metric in _THOUSAND and value >= 1000:
        metric, value = _THOUSAND[metric], value / 1000
    return f"{value.normalize():f}{metric}"


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
