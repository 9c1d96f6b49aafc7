"""Finds rows for editors by name, in either language or by pinyin."""

from catalog.goods.models import Brand, Category
from catalog.search.naming import is_named
from catalog.search.suggesting import Suggestions, suggest

# The maximum number of rows of each kind that a chooser finds.
FOUND = 200


def suggested(word: str) -> Suggestions:
    """Return the products, brands and categories suggested for a word, the most relevant first."""
    return suggest(word, FOUND)


def with_names(model: type[Brand] | type[Category], word: str, suggested_ids: tuple[int, ...]) -> list[int]:
    """Return the suggested rows for a word, then rows with it anywhere in their names or pinyin."""
    rows = model.objects.values_list("pk", "name_en", "name_zh") if word else ()
    named = (pk for pk, *names in rows if is_named(word, *names))
    return list(dict.fromkeys((*suggested_ids, *named)))[:FOUND]
