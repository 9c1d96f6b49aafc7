"""The product list's query parameters: filters, sorting and pages that work without script.

See docs/ux.md#pages-without-script.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from urllib.parse import urlencode

from django.http import Http404, QueryDict

from catalog.browse.filters import Filters
from catalog.goods.dietary import DietaryFilter
from catalog.goods.listed import ADVANCE, IN_STOCK, SOLD_OUT
from catalog.goods.models import Storage
from core.languages import localised
from core.pages.pager import Pager
from core.wire import positive_number

PAGE_SIZE = 24
MAX_PAGE = 1_000_000
MAX_BRANDS = 20
MAX_WORD = 100

STOCK_TYPES = (IN_STOCK, ADVANCE, SOLD_OUT)
ORDERS = ("price", "sales", "new")
PRICES = ("minPrice", "maxPrice")
# All filters except the category.
NARROWING = ("brandName", "stockType", "storage", "suits", "promotion", "bulk", *PRICES)
# All parameters that the list reads.
PARAMETERS = ("word", "goodsTypeId", "firstCategoryId", *NARROWING, "orderBy", "isAsc", "page")

_AMOUNT = re.compile(r"[0-9]{1,6}(\.[0-9]{0,9})?")

Params = Sequence[tuple[str, str]]


def _clean(text: str) -> str:
    return text.replace("\x00", "").strip()


def word_of(query: QueryDict) -> str:
    """Return the search text, cut to its maximum length."""
    return _clean(query.get("word", ""))[:MAX_WORD]


def page_number(query: QueryDict) -> int:
    """Return the page number, at least 1; raises Http404 if it is invalid."""
    number = positive_number(query.get("page", "1"))
    if number is None or number > MAX_PAGE:
        raise Http404
    return number


def _dollars(text: str) -> Decimal | None:
    """Return an amount as people write it: 5, 5.50, $5, 1,000; None for other texts."""
    plain = text.upper().removeprefix("A").removeprefix("$").replace(",", "")
    return Decimal(plain).quantize(Decimal("0.01")) if _AMOUNT.fullmatch(plain) else None


def price_faults(query: QueryDict) -> set[str]:
    """Return the names of the price parameters that are not amounts."""
    return {name for name in PRICES if (text := _clean(query.get(name, ""))) and _dollars(text) is None}


def filters_of(query: QueryDict) -> Filters:
    """Return the filters in a query string; invalid values are ignored.

    If the minimum price is above the maximum, the two are swapped.
    """
    stock_type, storage, order_by = (query.get(name, "") for name in ("stockType", "storage", "orderBy"))
    brands = dict.fromkeys(_clean(name)[:200] for name in query.getlist("brandName")[:MAX_BRANDS])
    minimum, maximum = (_dollars(_clean(query.get(name, ""))) or None for name in PRICES)
    if minimum and maximum and minimum > maximum:
        minimum, maximum = maximum, minimum
    return Filters(
        brand_names=tuple(name for name in brands if name),
        category_id=positive_number(query.get("goodsTypeId", "")),
        first_category_id=positive_number(query.get("firstCategoryId", "")),
        word=word_of(query),
        stock_type=stock_type if stock_type in STOCK_TYPES else "",
        storage=storage if storage in Storage.values else "",
        suits=tuple(name for name in DietaryFilter.values if name in query.getlist("suits")),
        bulk=query.get("bulk") == "1",
        promotion_id=positive_number(query.get("promotion", "")),
        min_price=minimum,
        max_price=maximum,
        order_by=order_by if order_by in ORDERS else "",
        ascending=order_by == "price" and query.get("isAsc", "true") == "true",
    )


def params_of(filters: Filters) -> Params:
    """Return the filters as query parameters in a fixed order, without empty ones."""
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
        *(("suits", name) for name in filters.suits),
        ("promotion", filters.promotion_id),
        ("bulk", "1" if filters.bulk else ""),
        ("orderBy", filters.order_by),
        ("isAsc", ("true" if filters.ascending else "false") if by_price else ""),
    ]
    return [(name, str(value)) for name, value in values if value]


def price_text(amount: Decimal | None) -> str:
    """Return an amount in its short form: 5, 5.50; empty for None."""
    if amount is None:
        return ""
    return f"{amount:f}" if amount % 1 else f"{amount:.0f}"


def shop_url(params: Params, page: int = 1) -> str:
    """Return the URL of the list in the reader's language."""
    return page_url("/shop", params, page)


def page_url(path: str, params: Params, page: int = 1) -> str:
    """Return the URL of a page of a list in the reader's language; `path` has no language."""
    query = urlencode([*params, *([("page", str(page))] if page > 1 else [])])
    return localised(f"{path}?{query}" if query else path)


def without(params: Params, *names: str) -> Params:
    """Return the parameters except those with these names."""
    return [(name, value) for name, value in params if name not in names]


def canonical_params(filters: Filters) -> Params:
    """Return the parameters of the list's canonical URL: a category alone, or a single brand alone."""
    category = [
        pair for pair in params_of(filters) if pair[0] in ("goodsTypeId", "firstCategoryId", "brandName")
    ]
    if len(category) == 1:
        return category
    return without(category, "brandName")


def is_for_search_engines(filters: Filters) -> bool:
    """Return True if the filters are a category or a brand only, or none."""
    return params_of(filters) == canonical_params(filters)


def pager(number: int, total: int, params: Params = (), path: str = "/shop") -> Pager:
    """Return the links to the pages of a list of `total` products."""
    return Pager(number, total, PAGE_SIZE, partial(page_url, path, params))
