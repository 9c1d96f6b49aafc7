"""Matches rows that are not in the search index with a word."""

from pypinyin import lazy_pinyin

from catalog.search.folding import fold


def is_named(word: str, *names: str) -> bool:
    """Return True if one of a row's names contains a word, in either script or by pinyin."""
    sought = _plain(word)
    return any(sought in _plain(name) or sought in _plain("".join(lazy_pinyin(name))) for name in names)


def _plain(text: str) -> str:
    return fold(text).replace(" ", "")
