"""Filters products and counts facets with sets of ids.

See docs/wire.md#goodslist.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, reduce
from operator import and_
from typing import TypeVar

from django.db.models import F
from pyroaring import BitMap

from catalog.browse.filters import MAX_WORD, Filters
from catalog.browse.snapshot import NOTHING, Snapshot, all_ids, snapshot
from catalog.goods.bands import band, first_of
from catalog.goods.dietary import DietaryFilter
from catalog.goods.models import Brand, Storage
from catalog.goods.sellable import sellable_products
from catalog.promotions.models import Promotion, PromotionItem
from catalog.search.finding import Found

CENT = Decimal("0.01")
K = TypeVar("K")
# The most filter combinations whose counts a snapshot caches.
_REMEMBERED = 512


@dataclass(frozen=True)
class Facets:
    """The number of products for each choice, under all other filters."""

    brands: list[tuple[Brand, int]]
    categories: dict[int, int]
    stock_types: dict[str, int]
    storages: dict[str, int]
    suits: dict[str, int]


class FacetCounts:
    """The products on sale that match the filters; at most two seconds old."""

    def __init__(self, filters: Filters) -> None:
        self.filters = filters
        self.now: Snapshot = snapshot()
        self.found = self.now.found(filters.word[:MAX_WORD]) if filters.word else Found()

    @cached_property
    def brand_ids(self) -> list[int]:
        """The ids of the chosen brands, found by their name in either language."""
        return sorted({pk for name in self.filters.brand_names for pk in self.now.brand_ids.get(name, ())})

    @cached_property
    def products(self) -> BitMap:
        """The ids that match all filters."""
        return self._under()

    @property
    def facets(self) -> Facets:
        """The facets; brands with the most products first."""
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
        wanted = self._under("category")
        tops = dict(_counts(groups.get("top", ()), wanted))
        return Facets(
            brands=sorted(brands, key=lambda pair: (-pair[1], pair[0].name_en, pair[0].pk)),
            categories=dict(_counts(groups.get("category", ()), wanted)) | tops,
            stock_types=dict(_counts(self.now.stock_types.items(), self._under("stock"))),
            storages=dict(_counts(self._storages(), self._under("storage"))),
            # A further choice narrows the list, so it counts under all filters.
            suits=dict(_counts(self._suits(DietaryFilter.values), self.products)),
        )

    def _under(self, but: str = "") -> BitMap:
        """Return the ids that match all filters except those of kind `but`."""
        return reduce(and_, [*(ids for kind, ids in self._sets.items() if kind != but), self.now.products])

    @cached_property
    def _sets(self) -> dict[str, BitMap]:
        """The ids that match each kind of filter in use, smaller sets first."""
        return dict(sorted(self._passing(), key=lambda pair: len(pair[1])))

    def _passing(self) -> Iterator[tuple[str, BitMap]]:
        filters, now = self.filters, self.now
        if filters.brand_names:
            yield "brand", _union(now.labelled(f"brand:{pk}") for pk in self.brand_ids)
        wanted = [pk for pk in (filters.first_category_id, filters.category_id) if pk is not None]
        if wanted:
            yield "category", reduce(and_, map(self.in_category, wanted))
        if filters.word:
            yield "word", _union(self.found.tiers)
        if filters.stock_type:
            yield "stock", self.now.stock_types[filters.stock_type]
        if filters.storage:
            yield "storage", now.labelled(f"storage:{filters.storage}")
        for name, ids in self._suits(filters.suits):
            yield f"suits:{name}", ids
        if filters.bulk:
            yield "bulk", now.labelled("bulk")
        if filters.promotion_id is not None:
            yield "promotion", _promoted(filters.promotion_id)
        if filters.min_price is not None or filters.max_price is not None:
            yield "price", self._priced(filters.min_price or CENT, filters.max_price)

    def in_category(self, category_id: int) -> BitMap:
        """Return the ids of a category's products, including those of its subcategories."""
        return self.now.labelled(f"category:{category_id}") | self.now.labelled(f"top:{category_id}")

    def _storages(self) -> list[tuple[str, BitMap]]:
        return [(kind, self.now.labelled(f"storage:{kind}")) for kind in Storage.values]

    def _suits(self, names: Iterable[str]) -> list[tuple[str, BitMap]]:
        return [(name, self.now.labelled(f"suits:{name}")) for name in names]

    def _priced(self, least: Decimal, most: Decimal | None) -> BitMap:
        """Return the ids between two prices: whole bands from their sets, each end band by a query."""
        bands = dict(self.now.groups.get("price", ()))
        lowest = band(int(least * 100))
        highest = band(int(most * 100)) if most is not None else max(bands, default=lowest) + 1
        inside = _union(ids for number, ids in bands.items() if lowest < number < highest)
        ends = {lowest, highest} & bands.keys()
        return inside | _union(self._in_band(number, least, most) for number in ends)

    def _in_band(self, number: int, least: Decimal, most: Decimal | None) -> BitMap:
        least = max(least, first_of(number) * CENT)
        below = first_of(number + 1) * CENT
        priced = sellable_products().filter(price__gte=least, price__lt=below)
        return all_ids(priced if most is None else priced.filter(price__lte=most))


def _counts(groups: Iterable[tuple[K, BitMap]], products: BitMap) -> Iterator[tuple[K, int]]:
    """Yield each group with its number of products, without empty groups."""
    for key, ids in groups:
        if count := ids.intersection_cardinality(products):
            yield key, count


def _promoted(promotion_id: int) -> BitMap:
    """Return the ids of a running promotion's products with remaining quota."""
    running = Promotion.objects.running().filter(pk=promotion_id)
    items = PromotionItem.objects.filter(promotion__in=running, taken__lt=F("quota"), is_gift=False)
    return BitMap(items.values_list("product_id", flat=True))


def _union(sets: Iterable[BitMap]) -> BitMap:
    return BitMap.union(*found) if (found := list(sets)) else NOTHING
