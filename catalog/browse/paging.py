"""Finds a page of a list with sets of ids, so that the database never counts or sorts a whole list."""

from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from pyroaring import BitMap

from catalog.browse.facet_counts import CENT, FacetCounts
from catalog.browse.selecting import Condition, Select, is_among, select, turned
from catalog.goods.bands import first_of
from catalog.goods.listed import ADVANCE, IN_STOCK, SOLD_OUT

# The most index rows that a query may skip; beyond this, sets of ids narrow the page first.
STEPS = 4_000
# Number of products that a query may always sort, and may sort to avoid skipping more than MANY rows.
FEW, MANY = 2_000, 20_000
# Every order ends with the id, so that the order of equal products is stable between pages.
ORDERS = {"price": ("price", "id"), "sales": ("units_sold", "-id"), "new": ("created_at", "-id")}
SHOP_ORDER = ("-units_sold", "id")
_STOCK = {
    SOLD_OUT: Condition("sold_out"),
    ADVANCE: Condition("NOT sold_out AND is_advance"),
    IN_STOCK: Condition("NOT sold_out AND NOT is_advance"),
}


class _Part(NamedTuple):
    """A contiguous part of a list, and the condition that its rows share."""

    products: BitMap
    # The number of rows with this condition, including rows outside the list.
    among: int
    span: tuple[Condition, ...] = ()
    # Whether the part is sorted by id alone.
    is_level: bool = False

    def steps(self, count: int) -> float:
        """Return an estimate of the rows that the database reads to find this many products of the part."""
        return count * self.among / len(self.products)


class Paging:
    """The sort order of a list, and the ids of its pages."""

    def __init__(self, counts: FacetCounts) -> None:
        self.counts = counts
        self.filters = counts.filters
        upwards = ORDERS.get(self.filters.order_by)
        self.is_by_relevance = bool(self.filters.word) and upwards is None
        self.order: tuple[str, ...] = SHOP_ORDER
        if upwards:
            self.order = upwards if self.filters.ascending else turned(upwards)

    def ids(self, start: int, stop: int) -> list[int]:
        """Return the ids of a slice of the list; at most two queries."""
        # Search results are as old as the snapshot anyway, so their pages may be cached with it.
        if self.is_by_relevance and self.filters.promotion_id is None:
            return self.counts.now.page((self.filters, start, stop), lambda: self._ids(start, stop))
        return self._ids(start, stop)

    def _ids(self, start: int, stop: int) -> list[int]:
        chosen = self.select(start, stop)
        if chosen is not None:
            return chosen.ids()
        needed = list(self._needed(start, min(stop, len(self.counts.products))))
        ordered = self._sorted([part for part, first, last in needed if _is_sorted(part, first, last)])
        ids: list[int] = []
        for part, first, last in needed:
            if _is_sorted(part, first, last):
                ids += [pk for pk in ordered if pk in part.products][first:last]
            else:
                ids += self._of_part(part, first, last)
        return ids

    def select(self, start: int, stop: int) -> Select | None:
        """Return the query for a page, if the database finds the page within STEPS rows; otherwise None."""
        total = len(self.counts.products)
        stop = min(stop, total)
        if not self._is_known or start >= stop:
            return None
        whole = _Part(self.counts.products, self._shortest_index())
        if whole.steps(min(stop, total - start)) > STEPS:
            return None
        return select(self._conditions, self.order, total, start, stop)

    @property
    def _is_known(self) -> bool:
        """Whether the database can check all the filters."""
        filters = self.filters
        return not filters.word and filters.promotion_id is None and not filters.suits

    @cached_property
    def _conditions(self) -> tuple[Condition, ...]:
        """The filters as SQL conditions."""
        return tuple(self._filtered())

    def _filtered(self) -> Iterator[Condition]:
        filters, now = self.filters, self.counts.now
        for pk in self._categories():
            category = now.categories.get(pk)
            # Top category and category are two columns, each with its own sorted index.
            is_top = category is not None and category.parent_id is None
            yield Condition("top_category_id = %s" if is_top else "category_id = %s", (pk,))
        if filters.brand_names:
            ids = self.counts.brand_ids
            yield Condition(f"brand_id IN ({', '.join(['%s'] * len(ids))})", tuple(ids))
        if filters.stock_type:
            yield _STOCK[filters.stock_type]
        if filters.storage:
            yield Condition("storage = %s", (filters.storage,))
        if filters.bulk:
            yield Condition("is_bulk")
        if filters.min_price is not None:
            yield _priced(">=", filters.min_price)
        if filters.max_price is not None:
            yield _priced("<=", filters.max_price)

    def _categories(self) -> list[int]:
        return [pk for pk in (self.filters.first_category_id, self.filters.category_id) if pk is not None]

    def _shortest_index(self) -> int:
        """Return the number of rows in the shortest index with this order: of a category, a brand or all."""
        lengths = [
            len(self.counts.now.products),
            *(len(self.counts.in_category(pk)) for pk in self._categories()),
        ]
        if len(self.counts.brand_ids) == 1:
            lengths.append(len(self.counts.now.labelled(f"brand:{self.counts.brand_ids[0]}")))
        return min(lengths)

    def _needed(self, start: int, stop: int) -> Iterator[tuple[_Part, int, int]]:
        """Yield the parts that a page needs, each with the page's first and last index in the part."""
        for part in self._parts():
            length = len(part.products)
            if stop <= 0:
                return
            if start < length:
                yield part, max(0, start), min(stop, length)
            start, stop = start - length, stop - length

    def _sorted(self, parts: list[_Part]) -> list[int]:
        """Return the sorted ids of parts; one query, none without parts."""
        ids = [pk for part in parts for pk in part.products]
        return select([is_among(ids)], self.order, len(ids), 0, len(ids)).ids() if ids else []

    def _of_part(self, part: _Part, first: int, last: int) -> list[int]:
        if part.is_level:
            return list(part.products[first:last])
        conditions = (*self._conditions, *part.span)
        if self._is_known:
            return select(conditions, self.order, len(part.products), first, last).ids()
        return self._picked(part, conditions, last)[first:]

    def _picked(self, part: _Part, conditions: tuple[Condition, ...], count: int) -> list[int]:
        """Return the first `count` ids of a part, read in order from all rows with the conditions."""
        step = min(MANY, int(2 * part.steps(count)) + FEW + 1)
        picked: list[int] = []
        for read in range(0, len(self.counts.now.products), step):
            # Always read from the start, because the part's products may be anywhere among the rows.
            some = select(conditions, self.order, 2 * (read + step), read, read + step).ids()
            picked += [pk for pk in some if pk in part.products]
            if len(picked) >= count or len(some) < step:
                break
        return picked[:count]

    def _parts(self) -> Iterator[_Part]:
        """Yield the parts of the list; sorting a page never needs more than a small part."""
        products, sold_out = self.counts.products, self.counts.now.sold_out
        if self.is_by_relevance:
            for tier in self.counts.found.tiers:
                yield from self._by_sales(tier & products - sold_out)
                yield from self._by_sales(tier & products & sold_out)
        elif len(products) <= FEW or self.order[0].endswith("created_at"):
            yield _Part(products, self._shortest_index())
        elif self.order[0].endswith("price"):
            yield from self._by_price(products)
        else:
            yield from self._by_sales(products)

    def _by_sales(self, products: BitMap) -> Iterator[_Part]:
        for number, ids in self._bands("sold"):
            least, below = (1 << number) >> 1, 1 << number
            span = Condition("units_sold >= %s AND units_sold < %s", (least, below))
            # A band with a single number is sorted by id alone.
            is_level = below - least <= 1 and self.order[1] == "id"
            if part := ids & products:
                yield _Part(part, len(ids), (span,), is_level)

    def _by_price(self, products: BitMap) -> Iterator[_Part]:
        for number, ids in self._bands("price"):
            span = _priced(">=", first_of(number) * CENT), _priced("<", first_of(number + 1) * CENT)
            if part := ids & products:
                yield _Part(part, len(ids), span)

    def _bands(self, name: str) -> list[tuple[int, BitMap]]:
        bands = self.counts.now.groups.get(name, [])
        return bands[::-1] if self.order[0].startswith("-") else bands


def _is_sorted(part: _Part, first: int, last: int) -> bool:
    """Return True if sorting the whole part is faster than skipping to the page."""
    length = len(part.products)
    if part.is_level or length > MANY:
        return False
    return length <= FEW or part.steps(min(last, length - first)) > MANY


def _priced(relation: str, price: Decimal) -> Condition:
    return Condition(f"price {relation} %s", (price,))
