"""The goods list as addresses: what a reader can filter, sort and page through without script (UX 4)."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode

from django.http import Http404, QueryDict

from catalog.browse.filters import ADVANCE, IN_STOCK, SOLD_OUT, Filters
from catalog.goods.models import Storage
from core.languages import localised
from core.wire import positive_number

PAGE_SIZE = 24
MAX_PAGE = 1_000_000
MAX_BRANDS = 20
MAX_WORD = 100

STOCK_TYPES = (IN_STOCK, ADVANCE, SOLD_OUT)
ORDERS = ("price", "sales", "new")
PRICES = ("minPrice", "maxPrice")
# What narrows a list, apart from the category.
NARROWING = ("word", "brandName", "stockType", "storage", "promotion", "bulk", *PRICES)
# All that the list reads of its address.
PARAMETERS = ("goodsTypeId", "firstCategoryId", *NARROWING, "orderBy", "isAsc", "page")

_AMOUNT = re.compile(r"[0-9]{1,6}(\.[0-9]{0,9})?")

Params = list[tuple[str, str]]


def _clean(text: str) -> str:
    return text.replace("\x00", "").strip()


def word_of(query: QueryDict) -> str:
    """Return the words searched for, as far as they are read."""
    return _clean(query.get("word", ""))[:MAX_WORD]


def page_number(query: QueryDict) -> int:
    """Return the page asked for, from 1; raises Http404 for what is no page."""
    number = positive_number(query.get("page", "1"))
    if number is None or number > MAX_PAGE:
        raise Http404
    return number


def _dollars(text: str) -> Decimal | None:
    """Read an amount as people write it: 5, 5.50, $5, 1,000; None for what is none."""
    plain = unicodedata.normalize("NFKC", text).upper().removeprefix("A").removeprefix("$").replace(",", "")
    return Decimal(plain).quantize(Decimal("0.01")) if _AMOUNT.fullmatch(plain) else None


def price_faults(query: QueryDict) -> set[str]:
    """Return the names of the prices in an address that are no amounts."""
    return {name for name in PRICES if (text := _clean(query.get(name, ""))) and _dollars(text) is None}


def filters_of(query: QueryDict) -> Filters:
    """Read the wire's search parameters from an address; values that make no sense are ignored.

    Prices the wrong way round are turned round.
    """
    stock_type, storage, order_by = (query.get(name, "") for name in ("stockType", "storage", "orderBy"))
    brands = dict.fromkeys(_clean(name)[:200] for name in query.getlist("brandName")[:MAX_BRANDS])
    least, most = (_dollars(_clean(query.get(name, ""))) or None for name in PRICES)
    if least and most and least > most:
        least, most = most, least
    return Filters(
        brand_names=tuple(name for name in brands if name),
        category_id=positive_number(query.get("goodsTypeId", "")),
        first_category_id=positive_number(query.get("firstCategoryId", "")),
        word=word_of(query),
        stock_type=stock_type if stock_type in STOCK_TYPES else "",
        storage=storage if storage in Storage.values else "",
        bulk=query.get("bulk") == "1",
        promotion_id=positive_number(query.get("promotion", "")),
        min_price=least,
        max_price=most,
        order_by=order_by if order_by in ORDERS else "",
        ascending=order_by == "price" and query.get("isAsc", "true") == "true",
    )


def params_of(filters: Filters) -> Params:
    """Write filters as the parameters of an address, in a fixed order, without what is not set."""
    by_price = filters.order_by == "price"
    values = [
        ("word", filters.word),
        ("goodsTypeId", filters.category_id),
        ("firstCategoryId", filters.first_category_id),
        *(("brandName", name) for name in filters.brand_names),
        ("minPrice", price_text(filters.min_price)),
        ("maxPrice", price_text(filters.max_price)),
        ("stockType", filters.stock_type),
        ("storage", filters.storage),
        ("promotion", filters.promotion_id),
        ("bulk", "1" if filters.bulk else ""),
        ("orderBy", filters.order_by),
        ("isAsc", ("true" if filters.ascending else "false") if by_price else ""),
    ]
    return [(name, str(value)) for name, value in values if value]


def price_text(amount: Decimal | None) -> str:
    """Write an amount as short as people do: 5, 5.50; empty for none."""
    if amount is None:
        return ""
    return f"{amount:f}" if amount % 1 else f"{amount:.0f}"


def shop_url(params: Params, page: int = 1) -> str:
    """Return the address of the list in the reader's language."""
    return page_url("/shop", params, page)


def page_url(path: str, params: Params, page: int = 1) -> str:
    """Return the address of a page of a list in the reader's language; `path` is without the language."""
    query = urlencode([*params, *([("page", str(page))] if page > 1 else [])])
    return localised(f"{path}?{query}" if query else path)


def without(params: Params, *names: str) -> Params:
    """Return the parameters without some names."""
    return [(name, value) for name, value in params if name not in names]


def shelf_of(filters: Filters) -> Params:
    """Return what names the shelf a list lies on: its category, or the one brand that it shows all of."""
    category = [
        pair for pair in params_of(filters) if pair[0] in ("goodsTypeId", "firstCategoryId", "brandName")
    ]
    if len(category) == 1:
        return category
    return without(category, "brandName")


def is_for_search_engines(filters: Filters) -> bool:
    """Tell whether a list is one of the shop's shelves, not somebody's combination of filters."""
    return params_of(filters) == shelf_of(filters)


@dataclass(frozen=True)
class Pager:
    """Numbered pages as links."""

    number: int
    pages: int
    params: Params
    path: str = "/shop"

    def _url(self, number: int) -> str:
        return page_url(self.path, self.params, number) if 1 <= number <= self.pages else ""

    @property
    def previous(self) -> str:
        """The page before, empty on the first."""
        return self._url(self.number - 1)

    @property
    def next(self) -> str:
        """The page after, empty on the last."""
        return self._url(self.number + 1)

    @property
    def last(self) -> str:
        """The last page."""
        return self._url(self.pages)

    @property
    def links(self) -> Iterator[tuple[int, str]]:
        """Number and address of the first, the last and the near pages; a gap has no address."""
        shown = sorted(
            {1, self.pages, *range(self.number - 1, self.number + 2)} & set(range(1, self.pages + 1))
        )
        before = 0
        for number in shown:
            if number - before > 1:
                yield 0, ""
            yield number, self._url(number)
            before = number
