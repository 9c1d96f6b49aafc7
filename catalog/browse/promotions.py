"""Running promotions, and their products in the editor's order (docs/wire.md#actiontypelist)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber

from catalog.browse.rows import listed_rows
from catalog.goods.listed import ListedProduct
from catalog.goods.sellable import is_sellable
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.offers import Offer, offer_of

Offered = tuple[ListedProduct, Offer]


def running() -> list[Promotion]:
    """Return the running promotions with their pictures; the one that ends first is first."""
    promotions = Promotion.objects.running().select_related("picture")
    return list(promotions.prefetch_related("picture__renditions"))


def running_promotion(pk: int) -> Promotion | None:
    """Return a running promotion with its picture; None if it does not run."""
    promotions = Promotion.objects.running().select_related("picture")
    return promotions.prefetch_related("picture__renditions").filter(pk=pk).first()


@dataclass(frozen=True)
class FirstProducts:
    """A promotion with the ids and offers of its first products on sale, and the number of all."""

    promotion: Promotion
    offered: list[tuple[int, Offer]]
    total: int


def first_products(promotions: Sequence[Promotion], count: int) -> list[FirstProducts]:
    """Return the promotions with their first products; one query, none without promotions."""
    if not promotions:
        return []
    by_id = {promotion.pk: promotion for promotion in promotions}
    place = Window(RowNumber(), partition_by=F("promotion"), order_by=["sort", "pk"])
    total = Window(Count("pk"), partition_by=F("promotion"))
    items = PromotionItem.objects.filter(is_sellable("product__"), promotion__in=by_id, is_gift=False)
    found: dict[int, list[tuple[int, Offer]]] = defaultdict(list)
    totals: dict[int, int] = {}
    first = items.annotate(place=place, total=total, ordinary=F("product__price")).filter(place__lte=count)
    for item in first.order_by("promotion", "place"):
        item.promotion = by_id[item.promotion_id]
        found[item.promotion_id].append((item.product_id, offer_of(item, item.ordinary)))
        totals[item.promotion_id] = item.total
    return [FirstProducts(row, found[row.pk], totals.get(row.pk, 0)) for row in promotions]


def _by_id(ids: set[int]) -> dict[int, ListedProduct]:
    return {product.id: product for product in listed_rows(sorted(ids))}


def named_items(promotion: Promotion) -> list[PromotionItem]:
    """Return the items that a promotion's page lists in addition to cards: its gifts, or its bundle's parts.

    One query; none for other kinds of promotions.
    """
    if promotion.kind not in (Promotion.Kind.gift, Promotion.Kind.bundle):
        return []
    items = promotion.items.filter(is_gift=promotion.kind == Promotion.Kind.gift)
    return list(items.select_related("product"))


def products_of(promotion: Promotion) -> "OfferedProducts":
    """Return a promotion's products on sale, each with its offer, even if its quota is used up."""
    return OfferedProducts(promotion)


class OfferedProducts(Sequence[Offered]):
    """A promotion's products in the editor's order; read on demand, in three queries."""

    def __init__(self, promotion: Promotion) -> None:
        self.promotion = promotion
        self.items = promotion.items.filter(is_sellable("product__"), is_gift=False).order_by("sort", "pk")

    def __len__(self) -> int:
        return self.items.count()

    @overload
    def __getitem__(self, place: int) -> Offered: ...

    @overload
    def __getitem__(self, place: slice) -> list[Offered]: ...

    def __getitem__(self, place: int | slice) -> Offered | list[Offered]:
        if isinstance(place, int):
            return self[place : place + 1][0]
        items = list(self.items[place])
        products = _by_id({item.product_id for item in items})
        for item in items:
            item.promotion = self.promotion
        return [
            (product, offer_of(item, product.price))
            for item in items
            if (product := products.get(item.product_id))
        ]
