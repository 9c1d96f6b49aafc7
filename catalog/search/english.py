"""The common words of the English language, which are not misspelt even if no product has them.

`english.csv` has words of at least four letters, since shorter ones are never corrected (see NOTICE.md).
"""

from functools import cache
from pathlib import Path

from catalog.search.folding import stem

FILE = Path(__file__).parent / "english.csv"


def is_english(word: str) -> bool:
    """Return True if a folded word is a common English word, in the singular or plural."""
    return not {word, stem(word)}.isdisjoint(_words())


@cache
def _words() -> frozenset[str]:
    _heading, *words = FILE.read_text(encoding="utf-8").split()
    return frozenset(words)
