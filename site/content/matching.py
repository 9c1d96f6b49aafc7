"""Finds rows for editors by name, in either language or by pinyin."""

from catalog.search.suggesting import Suggestions, suggest

# The most rows of each kind that a chooser finds.
FOUND = 200


def suggested(word: str) -> Suggestions:
    """Return the products, brands and categories suggested for a word, the most relevant first."""
    return suggest(word, FOUND)
