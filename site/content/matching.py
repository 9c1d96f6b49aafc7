"""Finds rows for editors by name, in either language or by pinyin."""

from pypinyin import lazy_pinyin

from catalog.search.folding import fold
from catalog.search.suggesting import Suggestions, suggest

# The most rows of each kind that a chooser finds.
FOUND = 200


def suggested(word: str) -> Suggestions:
    """Return the products, brands and categories suggested for a word, the most relevant first."""
    return suggest(word, FOUND)


def is_named(word: str, name_en: str, name_zh: str) -> bool:
    """Tell whether one of two names contains a word, in either script or by pinyin.

    For rows that are not in the search index: promotions, special areas, pages.
    """
    sound = "".join(lazy_pinyin(name_zh))
    return any(_plain(word) in _plain(name) for name in (name_en, name_zh, sound))


def _plain(text: str) -> str:
    return fold(text).replace(" ", "")
