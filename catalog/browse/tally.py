"""Which goods pass a list's filters, how many each further choice leaves: by sets of ids (CONTRACT 2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, reduce
from operator import and_
from typing import TypeVar

from django.db.models import F
from pyroaring import BitMap

from catalog.browse.filters import ADVANCE, IN_STOCK, MAX_WORD, SOLD_OUT, Filters
from catalog.browse.snapshot import NOTHING, Snapshot, all_ids, snapshot
from catalog.goods.bands import band, first_of
from catalog.goods.models import Brand, Product, Storage
from catalog.promotions.models import Promotion, PromotionItem
from catalog.search.finding import Found

CENT = Decimal("0.01")
K = TypeVar("K")
# Lists whose counts one snapshot remembers.
_REMEMBERED = 512


@dataclass(frozen=True)
class Facets:
    """How many goods each choice would show, counted under all filters but the choice's own."""

    brands: list[tuple[Brand, int]]
    categories: dict[int, int]
    stock_types: dict[str, int]
    storages: dict[str, int]


class Tally:
    """The goods on the shelves that pass the filters, as of a few seconds ago at most."""

    def __init__(self, filters: Filters) -> None:
        self.filters = filters
        self.now: Snapshot = snapshot()
        self.found = self.now.found(filters.word[:MAX_WORD]) if filters.word else Found()

    @cached_property
    def brand_ids(self) -> list[int]:
        """The brands chosen, by their names in either language."""
        return sorted({pk for name in self.filters.brand_names for pk in self.now.brand_ids.get(name, ())})

    @cached_property
    def goods(self) -> BitMap:
        """Those that pass all filters."""
        return self._under()

    @property
    def facets(self) -> Facets:
        """The counts of every further choice, most frequent brands first."""
        key = replace(self.filters, order_by="", ascending=False)
        counted: Facets | None = self.now.counted.get(key)
        if counted is None:
            counted = self._facets()
            if len(self.now.counted) < _REMEMBERED:
                self.now.counted[key] = counted
        return counted

    def _facets(self) -> Facets:
        groups = self.now.groups
        brands = [
            (self.now.brands[pk], count)
            for pk, count in _counts(groups.get("brand", ()), self._under("brand"))
            if pk in self.now.brands
        ]
        shelves = self._under("shelf")
        tops = dict(_counts(groups.get("top", ()), shelves))
        return Facets(
            brands=sorted(brands, key=lambda pair: (-pair[1], pair[0].name_en, pair[0].pk)),
            categories=dict(_counts(groups.get("category", ()), shelves)) | tops,
            stock_types=dict(_counts(self._stock_types().items(), self._under("stock"))),
            storages=dict(_counts(self._storages(), self._under("storage"))),
        )

    def _under(self, but: str = "") -> BitMap:
        """Return the goods that pass all filters but one kind."""
        return reduce(and_, [*(ids for kind, ids in self._sets.items() if kind != but), self.now.goods])

    @cached_property
    def _sets(self) -> dict[str, BitMap]:
        """The goods that pass each kind of filter that is set; the smaller the earlier."""
        return dict(sorted(self._passing(), key=lambda pair: len(pair[1])))

    def _passing(self) -> Iterator[tuple[str, BitMap]]:
        filters, now = self.filters, self.now
        if filters.brand_names:
            yield "brand", _union(now.labelled(f"brand:{pk}") for pk in self.brand_ids)
        shelves = [pk for pk in (filters.first_category_id, filters.category_id) if pk is not None]
        if shelves:
            yield "shelf", reduce(and_, map(self.shelf, shelves))
        if filters.word:
            yield "word", _union(self.found.tiers)
        if filters.stock_type:
            yield "stock", self._stock_types()[filters.stock_type]
        if filters.storage:
            yield "storage", now.labelled(f"storage:{filters.storage}")
        if filters.bulk:
            yield "bulk", now.labelled("bulk")
        if filters.promotion_id is not None:
            yield "promotion", _promoted(filters.promotion_id)
        if filters.min_price is not None or filters.max_price is not None:
            yield "price", self._priced(filters.min_price or CENT, filters.max_price)

    def shelf(self, category_id: int) -> BitMap:
        """Return the goods of a category and of those below it."""
        return self.now.labelled(f"category:{category_id}") | self.now.labelled(f"top:{category_id}")

    def _stock_types(self) -> dict[str, BitMap]:
        sold_out = self.now.sold_out
        advance = self.now.labelled("advance")
        return {
            IN_STOCK: self.now.goods - sold_out - advance,
            ADVANCE: advance - sold_out,
            SOLD_OUT: sold_out & self.now.goods,
        }

    def _storages(self) -> list[tuple[str, BitMap]]:
        return [(kind, self.now.labelled(f"storage:{kind}")) for kind in Storage.values]

    def _priced(self, least: Decimal, most: Decimal | None) -> BitMap:
        """Return the goods between two prices: whole bands, and what the rows say of those at the ends."""
        bands = dict(self.now.groups.get("price", ()))
        lowest = band(int(least * 100))
        highest = band(int(most * 100)) if most is not None else max(bands, default=lowest) + 1
        inside = _union(ids for number, ids in bands.items() if lowest < number < highest)
        ends = {lowest, highest} & bands.keys()
        return inside | _union(self._in_band(number, least, most) for number in ends)

    def _in_band(self, number: int, least: Decimal, most: Decimal | None) -> BitMap:
        least = max(least, first_of(number) * CENT)
        below = first_of(number + 1) * CENT
        priced = Product.objects.filter(on_sale=True, price__gte=least, price__lt=below)
        return all_ids(priced if most is None else priced.filter(price__lte=most))


def _counts(groups: Iterable[tuple[K, BitMap]], goods: BitMap) -> Iterator[tuple[K, int]]:
    """Count the goods of each group, leaving out those that have none."""
    for key, ids in groups:
        if count := ids.intersection_cardinality(goods):
            yield key, count


def _promoted(promotion_id: int) -> BitMap:
    """Return the goods of a promotion that runs now and whose quota is not taken."""
    running = Promotion.objects.running().filter(pk=promotion_id)
    items = PromotionItem.objects.filter(promotion__in=running, taken__lt=F("quota"))
    return BitMap(items.values_list("product_id", flat=True))


def _union(sets: Iterable[BitMap]) -> BitMap:
    return BitMap.union(*found) if (found := list(sets)) else NOTHING
