"""Which goods a list shows, in what order (CONTRACT 2): counted by sets of ids, read afresh from the rows."""

from collections.abc import Iterator, Sequence
from typing import overload

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from catalog.browse.filters import ADVANCE, IN_STOCK, MAX_WORD, SOLD_OUT, Filters
from catalog.browse.paging import SHOP_ORDER, Paging
from catalog.browse.rows import goods_rows
from catalog.browse.tally import Facets, Tally
from catalog.goods.models import Product
from catalog.stock.models import StockLevel

__all__ = [
    "ADVANCE",
    "IN_STOCK",
    "MAX_WORD",
    "SOLD_OUT",
    "Facets",
    "Filters",
    "Listing",
    "facets",
    "listing",
    "on_shelves",
    "stock_type",
]


def on_shelves() -> QuerySet[Product]:
    """Return the goods on sale in the shop's order, with what a card shows of them.

    Each has `available`: the units a delivery order can buy now. Two queries, however many goods.
    """
    level = StockLevel.objects.filter(product=OuterRef("pk"), location__fills_deliveries=True)
    available = Coalesce(Subquery(level.values(left=F("on_hand") - F("reserved"))), 0)
    return (
        Product.objects.filter(on_sale=True)
        .annotate(available=available)  # type: ignore[no-redef]
        .select_related("brand", "category__parent", "picture")
        .prefetch_related("picture__renditions")
        .order_by(*SHOP_ORDER)
    )


def stock_type(product: Product) -> str:
    """Return the stock type of a good from `on_shelves`: in stock, advance or limited, sold out."""
    if product.available < product.min_amount:
        return SOLD_OUT
    return ADVANCE if product.is_advance else IN_STOCK


def listing(filters: Filters) -> "Listing":
    """Return the goods on sale that pass the filters, in order."""
    return Listing(Tally(filters))


def facets(filters: Filters) -> Facets:
    """Count the goods behind every further choice."""
    return Tally(filters).facets


class Listing(Sequence[Product]):
    """The goods that pass the filters, in order; only what is asked for is read.

    Its length may be a few seconds old, its rows never are.
    """

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.paging = Paging(tally)

    def __len__(self) -> int:
        return len(self.tally.goods)

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
        found = on_shelves().in_bulk(ids)
        return [found[pk] for pk in ids if pk in found]

    def ids(self, start: int, stop: int) -> list[int]:
        """Return the ids of the goods from one place of the list up to another."""
        return self.paging.ids(start, stop)

    def rows(self, start: int, stop: int) -> list[Product]:
        """Return the goods from one place of the list up to another as `goods_rows` does."""
        page = self.paging.select(start, stop) or self.paging.ids(start, stop)
        return goods_rows(page, now=self.tally.now)

    @property
    def facets(self) -> Facets:
        """The counts of every further choice."""
        return self.tally.facets
