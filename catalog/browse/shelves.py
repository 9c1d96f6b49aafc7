"""The home page's shelves: categories with their goods, and goods picked by hand."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import OuterRef, Subquery

from catalog.browse.cards import Card, cards, hue_class
from catalog.browse.listing import on_shelves
from catalog.goods.models import Category, Product
from core.languages import localised
from core.pictures import picture_url


@dataclass(frozen=True)
class Tile:
    """A category as a page shows it."""

    category: Category

    @property
    def url(self) -> str:
        """The address of its goods, in the reader's language."""
        name = "goodsTypeId" if self.category.parent_id else "firstCategoryId"
        return localised(f"/shop?{name}={self.category.pk}")

    @property
    def hue(self) -> str:
        """The class of its hue."""
        return hue_class(self.category.tint)

    @property
    def picture(self) -> str | None:
        """The picture's address, 256 px square."""
        return picture_url(self.category.picture, 256)


@dataclass(frozen=True)
class Shelf:
    """A top category with its subcategories and the cards of its best sellers."""

    top: Tile
    children: list[Tile]
    cards: list[Card]


def category_tree(*, pictures: bool = False) -> list[tuple[Category, list[Category]]]:
    """Return the top categories, each with its subcategories, in order; pictures cost a query more."""
    rows = Category.objects.all()
    if pictures:
        rows = rows.select_related("picture").prefetch_related("picture__renditions")
    children: dict[int, list[Category]] = defaultdict(list)
    for row in rows:
        if row.parent_id:
            children[row.parent_id].append(row)
    return [(row, children[row.pk]) for row in rows if row.parent_id is None]


def top_categories() -> list[Tile]:
    """Return the tiles of the top categories."""
    return [Tile(top) for top, _ in category_tree(pictures=True)]


def picked(ids: Sequence[int], rate: Decimal) -> list[Card]:
    """Return the cards of the goods with these ids that are on sale, in the given order."""
    found = {product.pk: product for product in on_shelves().filter(pk__in=ids)}
    return cards((found[pk] for pk in ids if pk in found), rate)


def best_sellers(count: int) -> dict[int, list[Product]]:
    """Return the `count` goods of each top category that sell best, as `listing` has them, by the category.

    However many goods there are, each place is read from the end of an index.
    """
    on_shelf = Product.objects.filter(top_category=OuterRef("pk"), on_sale=True)
    ranked = on_shelf.order_by("-units_sold", "id").values("pk")
    places = {f"best_{place}": Subquery(ranked[place : place + 1]) for place in range(count)}
    tops = Category.objects.filter(parent=None).order_by().annotate(**places)
    ids = {top: [pk for pk in best if pk] for top, *best in tops.values_list("pk", *places)}
    found = on_shelves().in_bulk([pk for best in ids.values() for pk in best])
    return {top: [found[pk] for pk in best if pk in found] for top, best in ids.items()}


def best_of_categories(count: int, rate: Decimal) -> list[Shelf]:
    """Return each top category that has goods, with its `count` best sellers."""
    sellers = best_sellers(count)
    return [
        Shelf(Tile(top), [Tile(child) for child in children], cards(sellers[top.pk], rate))
        for top, children in category_tree(pictures=True)
        if sellers.get(top.pk)
    ]
