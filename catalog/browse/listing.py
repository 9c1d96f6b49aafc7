"""Lists of products: sets of ids give counts, queries give current rows.

See docs/wire.md#goodslist.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from catalog.browse.facet_counts import FacetCounts, Facets
from catalog.browse.filters import MAX_WORD, Filters
from catalog.browse.paging import SHOP_ORDER, Paging
from catalog.browse.rows import listed_rows
from catalog.goods.listed import ListedProduct, listed
from catalog.goods.models import Product
from catalog.goods.sellable import sellable_products
from catalog.stock.models import StockLevel

__all__ = [
    "MAX_WORD",
    "Facets",
    "Filters",
    "Listing",
    "facets",
    "listable_products",
    "listed_products",
    "listing",
]


def listable_products() -> QuerySet[Product]:
    """Return the sellable products in the shop's order, with everything that `listed` and a card read.

    Each has `available`: the units that a delivery order can buy now. Two queries for any number of products.
    """
    level = StockLevel.objects.filter(product=OuterRef("pk"), location__fills_deliveries=True)
    available = Coalesce(Subquery(level.values(left=F("on_hand") - F("reserved"))), 0)
    return (
        sellable_products()
        .annotate(available=available)  # type: ignore[no-redef]
        .select_related("brand", "category__parent", "picture")
        .prefetch_related("picture__renditions")
        .order_by(*SHOP_ORDER)
    )


def listed_products(products: Iterable[Product]) -> list[ListedProduct]:
    """Return the facts of products from `listable_products`."""
    return [listed(product, available=product.available) for product in products]


def listing(filters: Filters) -> "Listing":
    """Return the products on sale that match the filters, in order."""
    return Listing(FacetCounts(filters))


def facets(filters: Filters) -> Facets:
    """Return the facets of a list."""
    return FacetCounts(filters).facets


class Listing(Sequence[Product]):
    """The products that match the filters, in order; rows are read on demand.

    The length may be two seconds old; the rows are current.
    """

    def __init__(self, counts: FacetCounts) -> None:
        self.counts = counts
        self.paging = Paging(counts)

    def __len__(self) -> int:
        return len(self.counts.products)

    def __iter__(self) -> Iterator[Product]:
        return iter(self[:])

    @overload
    def __getitem__(self, place: int) -> Product: ...

    @overload
    def __getitem__(self, place: slice) -> list[Product]: ...

    def __getitem__(self, place: int | slice) -> Product | list[Product]:
        if isinstance(place, int):
            return self[place : place + 1][0]
        start, stop, _ = place.indices(len(self))
        ids = self.ids(start, stop)
        found = listable_products().in_bulk(ids)
        return [found[pk] for pk in ids if pk in found]

    def ids(self, start: int, stop: int) -> list[int]:
        """Return the ids of the products of a slice of the list."""
        return self.paging.ids(start, stop)

    def rows(self, start: int, stop: int) -> list[ListedProduct]:
        """Return the products from place `start` up to `stop`, as `listed_rows` does."""
        page = self.paging.select(start, stop) or self.paging.ids(start, stop)
        return listed_rows(page, now=self.counts.now)

    @property
    def facets(self) -> Facets:
        """The counts of all further choices."""
        return self.counts.facets
