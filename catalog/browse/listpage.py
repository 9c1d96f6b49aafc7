"""The goods list as links: everything a reader can filter, sort and page through without script (UX 4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalog.browse.listing import ADVANCE, IN_STOCK, MAX_WORD, SOLD_OUT, Filters
from core.languages import localised
from core.wire import positive_number

PAGE_SIZE = 24
MAX_PAGE = 10_000
MAX_BRANDS = 20

STOCK_TYPES = (IN_STOCK, ADVANCE, SOLD_OUT)
# orderBy and isAsc of every way to sort the page offers; the first is the shop's own order.
SORTS = (("", ""), ("price", "true"), ("price", "false"), ("new", ""))


def stock_label(stock_type: str) -> str:
    """Name a stock type."""
    return {
        IN_STOCK: pgettext("stock", "In stock"),
        ADVANCE: _("Advance or limited"),
        SOLD_OUT: pgettext("stock", "Sold out"),
    }[stock_type]


def sort_label(order_by: str, ascending: str) -> str:
    """Name a way to sort."""
    if order_by == "price":
        return _("Price, low to high") if ascending == "true" else _("Price, high to low")
    return _("Newest") if order_by == "new" else _("Best selling")


def _clean(text: str) -> str:
    return text.replace("\x00", "").strip()


def page_number(query: QueryDict) -> int:
    """Return the page asked for, from 1; raises Http404 for what is no page."""
    number = positive_number(query.get("page", "1"))
    if number is None or number > MAX_PAGE:
        raise Http404
    return number


def filters_of(query: QueryDict) -> Filters:
    """Read the wire's search parameters from an address; values that make no sense are ignored."""
    order_by = query.get("orderBy", "")
    ascending = query.get("isAsc", "")
    offered = {order for order, _asc in SORTS}
    stock_type = query.get("stockType", "")
    brands = dict.fromkeys(_clean(name)[:200] for name in query.getlist("brandName")[:MAX_BRANDS])
    return Filters(
        brand_names=tuple(name for name in brands if name),
        category_id=positive_number(query.get("goodsTypeId", "")),
        first_category_id=positive_number(query.get("firstCategoryId", "")),
        word=_clean(query.get("word", ""))[:MAX_WORD],
        stock_type=stock_type if stock_type in STOCK_TYPES else "",
        order_by=order_by if order_by in offered else "",
        ascending=ascending == "true",
    )


Params = list[tuple[str, str]]


def params_of(filters: Filters) -> Params:
    """Write filters as the parameters of an address, in a fixed order, without what is not set."""
    category = [("goodsTypeId", filters.category_id), ("firstCategoryId", filters.first_category_id)]
    return [
        *([("word", filters.word)] if filters.word else []),
        *((name, str(value)) for name, value in category if value),
        *(("brandName", name) for name in filters.brand_names),
        *([("stockType", filters.stock_type)] if filters.stock_type else []),
        *([("orderBy", filters.order_by)] if filters.order_by else []),
        *([("isAsc", "true" if filters.ascending else "false")] if filters.order_by == "price" else []),
    ]


def shop_url(params: Params, page: int = 1) -> str:
    """Return the address of the list in the reader's language."""
    query = urlencode([*params, *([("page", str(page))] if page > 1 else [])])
    return localised(f"/shop?{query}" if query else "/shop")


def without(params: Params, *names: str) -> Params:
    """Return the parameters without some names."""
    return [(name, value) for name, value in params if name not in names]


def is_for_search_engines(filters: Filters) -> bool:
    """Tell whether a list is one of the shop's shelves, not somebody's combination of filters."""
    return not (filters.word or filters.brand_names or filters.stock_type or filters.order_by)


@dataclass(frozen=True)
class Choice:
    """One link or check of a facet."""

    label: str
    url: str = ""
    value: str = ""
    count: int = 0
    chosen: bool = False


def sort_choices(filters: Filters) -> list[Choice]:
    """Return the ways to sort, each as a link that keeps the filters."""
    params = without(params_of(filters), "orderBy", "isAsc")
    return [
        Choice(
            label=sort_label(order_by, ascending),
            url=shop_url(
                [
                    *params,
                    *([("orderBy", order_by)] if order_by else []),
                    *([("isAsc", ascending)] if ascending else []),
                ]
            ),
            chosen=order_by == filters.order_by
            and (not ascending or (ascending == "true") == filters.ascending),
        )
        for order_by, ascending in SORTS
    ]


def stock_choices(filters: Filters, counts: Mapping[str, int]) -> list[Choice]:
    """Return the stock types as radio buttons; the first one means any."""
    any_stock = Choice(label=_("Any"), count=sum(counts.values()), chosen=not filters.stock_type)
    return [
        any_stock,
        *(
            Choice(
                stock_label(kind), value=kind, count=counts.get(kind, 0), chosen=kind == filters.stock_type
            )
            for kind in STOCK_TYPES
        ),
    ]


def chips(filters: Filters, brand_labels: Mapping[str, str]) -> list[Choice]:
    """Return what is applied, each with the address that takes it away.

    `brand_labels`: a brand's name in the address → its name in the reader's language.
    """
    params = params_of(filters)
    found = [
        Choice(
            label=brand_labels.get(name, name),
            url=shop_url([pair for pair in params if pair != ("brandName", name)]),
        )
        for name in filters.brand_names
    ]
    if filters.stock_type:
        found.insert(0, Choice(stock_label(filters.stock_type), shop_url(without(params, "stockType"))))
    if filters.word:
        found.insert(0, Choice(f"“{filters.word}”", shop_url(without(params, "word"))))
    return found


@dataclass(frozen=True)
class Pager:
    """Numbered pages as links."""

    number: int
    pages: int
    params: Params

    def _url(self, number: int) -> str:
        return shop_url(self.params, number) if 1 <= number <= self.pages else ""

    @property
    def previous(self) -> str:
        """The page before, empty on the first."""
        return self._url(self.number - 1)

    @property
    def next(self) -> str:
        """The page after, empty on the last."""
        return self._url(self.number + 1)

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
