"""The search of pages in the back office: by the titles in both languages, also by pinyin.

Wagtail asks its search backend wherever an editor looks for a page: the chooser, the lists and the menu.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Case, QuerySet, When
from wagtail.models import Page
from wagtail.search.backends.database import SearchBackend as DatabaseBackend
from wagtail.search.query import SearchQuery

from catalog.search.naming import is_named


class FoundPages:
    """Found pages, in the form in which Wagtail takes search results."""

    supports_facet = True

    def __init__(self, pages: QuerySet[Page]) -> None:
        """Give what a queryset gives."""
        self._pages = pages

    def __getattr__(self, name: str) -> Any:
        """Offer the queryset's other methods."""
        return getattr(self._pages, name)

    def __iter__(self) -> Iterator[Page]:
        """Give the pages."""
        return iter(self._pages)

    def __len__(self) -> int:
        """Count the pages."""
        return len(self._pages)

    def __getitem__(self, part: Any) -> Any:
        """Give a part of the pages."""
        return self._pages[part]

    def facet(self, name: str) -> Counter[Any]:
        """Count the pages by one of their fields."""
        return Counter(self._pages.order_by().values_list(name, flat=True))


def pages_named(text: str) -> list[int]:
    """Return the ids of the pages whose titles have every word; those that begin with the text first.

    A page is found by the title of its twin in the other language too. One query.
    """
    words = text.split()
    titles: dict[UUID, set[str]] = defaultdict(set)
    keys: dict[int, UUID] = {}
    rows = Page.objects.order_by("path").values_list("pk", "translation_key", "title", "draft_title")
    for pk, key, *own in rows:
        keys[pk] = key
        titles[key].update(own)
    found = {key for key, names in titles.items() if all(is_named(word, *names) for word in words)}
    first = {key for key in found if any(name.casefold().startswith(text.casefold()) for name in titles[key])}
    return sorted((pk for pk, key in keys.items() if key in found), key=lambda pk: keys[pk] not in first)


def _text(query: str | SearchQuery) -> str:
    """Return the words of a query; none of one that asks for everything."""
    if isinstance(query, str):
        return query
    parts = getattr(query, "subqueries", None)
    return " ".join(map(_text, parts)) if parts else getattr(query, "query_string", "")


def SearchBackend(params: dict[str, Any]) -> Any:  # noqa: N802  the name that Wagtail looks for
    """Return the database's search backend, which finds pages by their names."""
    backend = DatabaseBackend(params)
    find_others = backend.autocomplete

    def autocomplete(query: Any, rows: Any, *args: Any, **kw: Any) -> Any:
        text = _text(query).strip()
        if not text or not isinstance(rows, QuerySet) or not issubclass(rows.model, Page):
            return find_others(query, rows, *args, **kw)
        ids = pages_named(text)
        found = rows.filter(pk__in=ids)
        if kw.get("order_by_relevance", True):
            found = found.order_by(
                Case(*(When(pk=pk, then=place) for place, pk in enumerate(ids)), default=0)
            )
        return FoundPages(found)

    backend.autocomplete = autocomplete
    return backend
