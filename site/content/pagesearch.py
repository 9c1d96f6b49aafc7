"""The back office's search of pages and pictures: in both languages, also by pinyin.

Wagtail uses the search backend in choosers, lists and the menu.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Case, QuerySet, When
from wagtail.images.models import Image
from wagtail.models import Page
from wagtail.search.backends.database import SearchBackend as DatabaseBackend
from wagtail.search.query import SearchQuery

from catalog.browse.listing import Filters, listing
from catalog.goods.models import Brand, Category, Product, ProductPicture
from catalog.search.naming import is_named
from content.matching import FOUND, suggested, with_names


class FoundRows:
    """Found pages or pictures, in the form of Wagtail's search results."""

    supports_facet = True

    def __init__(self, rows: QuerySet[Any]) -> None:
        """Wrap a queryset."""
        self._rows = rows

    def __getattr__(self, name: str) -> Any:
        """Return the queryset's other attributes."""
        return getattr(self._rows, name)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows."""
        return iter(self._rows)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._rows)

    def __getitem__(self, part: Any) -> Any:
        """Return a row or a slice of the rows."""
        return self._rows[part]

    def facet(self, name: str) -> Counter[Any]:
        """Count the rows by one of their fields."""
        return Counter(self._rows.order_by().values_list(name, flat=True))


def pages_named(text: str) -> list[int]:
    """Return the ids of pages whose titles contain every word; those that begin with the text first.

    A page is also found by the title of its translation. One query.
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
    """Return the words of a query; empty for a query without words."""
    if isinstance(query, str):
        return query
    parts = getattr(query, "subqueries", None)
    return " ".join(map(_text, parts)) if parts else getattr(query, "query_string", "")


def SearchBackend(params: dict[str, Any]) -> Any:  # noqa: N802  the name that Wagtail looks for
    """Return the database's search backend, extended to find pages and pictures in both languages."""
    backend = DatabaseBackend(params)
    find_by_own_texts = backend.autocomplete

    def autocomplete(query: Any, rows: Any, *args: Any, **kw: Any) -> Any:
        text = _text(query).strip()
        model = rows.model if isinstance(rows, QuerySet) else object
        if text and issubclass(model, Page):
            ids = pages_named(text)
        elif text and issubclass(model, Image):
            own = find_by_own_texts(query, Image.objects.all())[:FOUND]
            ids = list(dict.fromkeys((*(picture.pk for picture in own), *_pictures_of(text))))
        else:
            return find_by_own_texts(query, rows, *args, **kw)
        found = rows.filter(pk__in=ids)
        if kw.get("order_by_relevance", True):
            found = found.order_by(
                Case(*(When(pk=pk, then=place) for place, pk in enumerate(ids)), default=0)
            )
        return FoundRows(found)

    backend.autocomplete = autocomplete
    return backend


def _pictures_of(text: str) -> list[int]:
    """Return the ids of pictures of the products, brands and categories that match a text."""
    products = listing(Filters(word=text)).ids(0, FOUND)
    found = suggested(text)
    rows = (
        Product.objects.filter(pk__in=products),
        ProductPicture.objects.filter(product__in=products),
        Brand.objects.filter(pk__in=with_names(Brand, text, found.brands)),
        Category.objects.filter(pk__in=with_names(Category, text, found.categories)),
    )
    return [pk for each in rows for pk in each.exclude(picture=None).values_list("picture", flat=True)]
