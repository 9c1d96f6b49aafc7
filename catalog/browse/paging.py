"""Where in a list a page lies: by the sets of ids, so that the database never counts or sorts it all."""

from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from pyroaring import BitMap

from catalog.browse.filters import ADVANCE, IN_STOCK, SOLD_OUT
from catalog.browse.selecting import Condition, Select, among, select, turned
from catalog.browse.tally import CENT, Tally
from catalog.goods.bands import first_of

# Rows of an index that a page may step over: below this the database alone finds it, else sets of ids help.
STEPS = 4_000
# Goods that the database may sort: without a thought, and where it would step over more than that else.
FEW, MANY = 2_000, 20_000
# Every order ends with the id, so that equal goods keep their places from page to page.
ORDERS = {"price": ("price", "id"), "sales": ("units_sold", "-id"), "new": ("created_at", "-id")}
SHOP_ORDER = ("-units_sold", "id")
_STOCK = {
    SOLD_OUT: Condition("sold_out"),
    ADVANCE: Condition("NOT sold_out AND is_advance"),
    IN_STOCK: Condition("NOT sold_out AND NOT is_advance"),
}


class _Part(NamedTuple):
    """A part of a list that comes as a whole before or after the others, and what its rows have in common."""

    goods: BitMap
    # How many rows have it in common, goods of the list or not.
    among: int
    span: tuple[Condition, ...] = ()
    # Whether its goods are in order by their ids.
    is_level: bool = False

    def steps(self, count: int) -> float:
        """Estimate how many rows the database steps over until it has so many of its goods."""
        return count * self.among / len(self.goods)


class Paging:
    """The order of a list, and its pages as ids."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.filters = tally.filters
        upwards = ORDERS.get(self.filters.order_by)
        self.is_by_relevance = bool(self.filters.word) and upwards is None
        self.order: tuple[str, ...] = SHOP_ORDER
        if upwards:
            self.order = upwards if self.filters.ascending else turned(upwards)

    def ids(self, start: int, stop: int) -> list[int]:
        """Return the ids from one place of the list up to another; a query or two, or none."""
        # Which goods a search finds, and which of them are sold out, is as old as the snapshot anyway.
        if self.is_by_relevance and self.filters.promotion_id is None:
            return self.tally.now.page((self.filters, start, stop), lambda: self._ids(start, stop))
        return self._ids(start, stop)

    def _ids(self, start: int, stop: int) -> list[int]:
        chosen = self.select(start, stop)
        if chosen is not None:
            return chosen.ids()
        needed = list(self._needed(start, min(stop, len(self.tally.goods))))
        ordered = self._sorted([part for part, first, last in needed if _is_sorted(part, first, last)])
        ids: list[int] = []
        for part, first, last in needed:
            if _is_sorted(part, first, last):
                ids += [pk for pk in ordered if pk in part.goods][first:last]
            else:
                ids += self._of_part(part, first, last)
        return ids

    def select(self, start: int, stop: int) -> Select | None:
        """Return the query for a page that the database finds alone within a few steps, None for others."""
        total = len(self.tally.goods)
        stop = min(stop, total)
        if not self._is_known or start >= stop:
            return None
        whole = _Part(self.tally.goods, self._shortest_index())
        if whole.steps(min(stop, total - start)) > STEPS:
            return None
        return select(self._conditions, self.order, total, start, stop)

    @property
    def _is_known(self) -> bool:
        """Whether the database knows all the filters."""
        return not self.filters.word and self.filters.promotion_id is None

    @cached_property
    def _conditions(self) -> tuple[Condition, ...]:
        """The filters that the database knows."""
        return tuple(self._filtered())

    def _filtered(self) -> Iterator[Condition]:
        filters, now = self.filters, self.tally.now
        for pk in self._shelves():
            category = now.categories.get(pk)
            # A section and a shelf are two columns: one of them alone is read in order from an index.
            is_top = category is not None and category.parent_id is None
            yield Condition("top_category_id = %s" if is_top else "category_id = %s", (pk,))
        if filters.brand_names:
            ids = self.tally.brand_ids
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

    def _shelves(self) -> list[int]:
        return [pk for pk in (self.filters.first_category_id, self.filters.category_id) if pk is not None]

    def _shortest_index(self) -> int:
        """Count the goods in the shortest index that has the order: a shelf, section, brand, or all."""
        lengths = [len(self.tally.now.goods), *(len(self.tally.shelf(pk)) for pk in self._shelves())]
        if len(self.tally.brand_ids) == 1:
            lengths.append(len(self.tally.now.labelled(f"brand:{self.tally.brand_ids[0]}")))
        return min(lengths)

    def _needed(self, start: int, stop: int) -> Iterator[tuple[_Part, int, int]]:
        """Return the parts that a page lies in, each with the page's first and last place in it."""
        for part in self._parts():
            length = len(part.goods)
            if stop <= 0:
                return
            if start < length:
                yield part, max(0, start), min(stop, length)
            start, stop = start - length, stop - length

    def _sorted(self, parts: list[_Part]) -> list[int]:
        """Return the goods of parts in order; one query, none without parts."""
        ids = [pk for part in parts for pk in part.goods]
        return select([among(ids)], self.order, len(ids), 0, len(ids)).ids() if ids else []

    def _of_part(self, part: _Part, first: int, last: int) -> list[int]:
        if part.is_level:
            return list(part.goods[first:last])
        conditions = (*self._conditions, *part.span)
        if self._is_known:
            return select(conditions, self.order, len(part.goods), first, last).ids()
        return self._picked(part, conditions, last)[first:]

    def _picked(self, part: _Part, conditions: tuple[Condition, ...], count: int) -> list[int]:
        """Read ids in order until so many are among the part's goods."""
        step = min(MANY, int(2 * part.steps(count)) + FEW + 1)
        picked: list[int] = []
        for read in range(0, len(self.tally.now.goods), step):
            # From this end whatever the list's length: its goods lie anywhere between others.
            some = select(conditions, self.order, 2 * (read + step), read, read + step).ids()
            picked += [pk for pk in some if pk in part.goods]
            if len(picked) >= count or len(some) < step:
                break
        return picked[:count]

    def _parts(self) -> Iterator[_Part]:
        """Cut the list so that no page needs more than a small part in order."""
        goods, sold_out = self.tally.goods, self.tally.now.sold_out
        if self.is_by_relevance:
            for tier in self.tally.found.tiers:
                yield from self._by_sales(tier & goods - sold_out)
                yield from self._by_sales(tier & goods & sold_out)
        elif len(goods) <= FEW or self.order[0].endswith("created_at"):
            yield _Part(goods, self._shortest_index())
        elif self.order[0].endswith("price"):
            yield from self._by_price(goods)
        else:
            yield from self._by_sales(goods)

    def _by_sales(self, goods: BitMap) -> Iterator[_Part]:
        for number, ids in self._bands("sold"):
            least, below = (1 << number) >> 1, 1 << number
            span = Condition("units_sold >= %s AND units_sold < %s", (least, below))
            # A band of one number: what is left of the order is the id.
            is_level = below - least <= 1 and self.order[1] == "id"
            if part := ids & goods:
                yield _Part(part, len(ids), (span,), is_level)

    def _by_price(self, goods: BitMap) -> Iterator[_Part]:
        for number, ids in self._bands("price"):
            span = _priced(">=", first_of(number) * CENT), _priced("<", first_of(number + 1) * CENT)
            if part := ids & goods:
                yield _Part(part, len(ids), span)

    def _bands(self, name: str) -> list[tuple[int, BitMap]]:
        bands = self.tally.now.groups.get(name, [])
        return bands[::-1] if self.order[0].startswith("-") else bands


def _is_sorted(part: _Part, first: int, last: int) -> bool:
    """Tell whether the database had better sort all goods of a part than step to those of the page."""
    length = len(part.goods)
    if part.is_level or length > MANY:
        return False
    return length <= FEW or part.steps(min(last, length - first)) > MANY


def _priced(relation: str, price: Decimal) -> Condition:
    return Condition(f"price {relation} %s", (price,))
