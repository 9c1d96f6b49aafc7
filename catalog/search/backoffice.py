"""Lists of the back office whose search also matches the pinyin of Chinese names."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from wagtail.admin.views.generic.models import IndexView

from catalog.search.naming import is_named
from catalog.search.suggesting import suggest

# The most products that a word may match as pinyin.
MAX_SOUNDING = 200


class FindsByPinyin:
    """The search of a list of rows that have a Chinese name."""

    is_searching: bool
    search_query: str

    def search_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows with the word in one of the list's fields, or in the pinyin of their name."""
        found: QuerySet[Any] = super().search_queryset(queryset)  # type: ignore[misc]
        if not self.is_searching or not self.search_query.isascii():
            return found
        return found | queryset.filter(pk__in=self.sounding_like(self.search_query, queryset))

    def sounding_like(self, word: str, rows: QuerySet[Any]) -> Iterable[int]:
        """Return the ids of the rows whose Chinese name contains the word in pinyin; reads every name."""
        return [pk for pk, name in rows.values_list("pk", "name_zh") if is_named(word, name)]


class FindsProductsByPinyin(FindsByPinyin):
    """The search of a list of rows that each have a product."""

    def sounding_like(self, word: str, rows: QuerySet[Any]) -> Iterable[int]:
        """Return the ids of the rows whose product is a suggestion for the word."""
        products = suggest(word, MAX_SOUNDING).products
        return rows.filter(product__in=products).values_list("pk", flat=True)


class NamesIndexView(FindsByPinyin, IndexView):
    """A list of rows with a Chinese and an English name."""
