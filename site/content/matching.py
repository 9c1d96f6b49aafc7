"""What an editor finds by a word: as a shopper does, in either language and by its sound."""

from pypinyin import lazy_pinyin

from catalog.search.folding import fold
from catalog.search.suggesting import Suggestions, suggest

# Rows of each kind that a window finds at most.
FOUND = 200


def suggested(word: str) -> Suggestions:
    """Return the goods, brands and categories that the shop's search has for a word, the likeliest first."""
    return suggest(word, FOUND)


def is_named(word: str, name_en: str, name_zh: str) -> bool:
    """Tell whether one of two names holds a word, in either script or by its sound.

    For what is too little to be in the search index: promotions, special areas, pages.
    """
    sound = "".join(lazy_pinyin(name_zh))
    return any(_plain(word) in _plain(name) for name in (name_en, name_zh, sound))


def _plain(text: str) -> str:
    return fold(text).replace(" ", "")
