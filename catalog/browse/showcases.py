"""The home page's category tiles, showcases of categories, and picked products."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import OuterRef, Subquery

from catalog.browse.cards import Card, cards, hue_class
from catalog.browse.listing import listable_products
from catalog.goods.models import Category, Product
from catalog.goods.sellable import sellable_products
from core.languages import localised
from core.pictures.renditions import picture_url


@dataclass(frozen=True)
class Tile:
    """A category as a page shows it."""

    category: Category

    @property
    def url(self) -> str:
        """The URL of its page, in the reader's language."""
        name = "goodsTypeId" if self.category.parent_id else "firstCategoryId"
        return localised(f"/shop?{name}={self.category.pk}")

    @property
    def hue(self) -> str:
        """The class of its hue."""
        return hue_class(self.category.tint)

    @property
    def picture(self) -> str | None:
        """The picture's URL, 256 px square."""
        return picture_url(self.category.picture, 256)


@dataclass(frozen=True)
class CategoryShowcase:
    """A top category with its subcategories and the cards of its best sellers."""

    top: Tile
    children: list[Tile]
    cards: list[Card]


def category_tree(*, pictures: bool = False) -> list[tuple[Category, list[Category]]]:
    """Return the top categories, each with its subcategories, in order; one more query with pictures."""
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
    """Return the cards of the products with these ids that are on sale, in the given order."""
    found = {product.pk: product for product in listable_products().filter(pk__in=ids)}
    return cards((found[pk] for pk in ids if pk in found), rate)


def best_sellers(count: int) -> dict[int, list[Product]]:
    """Return the `count` of `listable_products` that sell best in each top category, by the category.

    Each is read from the start of an index, whatever the number of products.
    """
    of_category = sellable_products().filter(top_category=OuterRef("pk"))
    ranked = of_category.order_by("-units_sold", "id").values("pk")
    places = {f"best_{place}": Subquery(ranked[place : place + 1]) for place in range(count)}
    tops = Category.objects.filter(parent=None).order_by().annotate(**places)
    ids = {top: [pk for pk in best if pk] for top, *best in tops.values_list("pk", *places)}
    found = listable_products().in_bulk([pk for best in ids.values() for pk in best])
    return {top: [found[pk] for pk in best if pk in found] for top, best in ids.items()}


def best_of_categories(count: int, rate: Decimal) -> list[CategoryShowcase]:
    """Return each top category that has products, with its `count` best sellers."""
    sellers = best_sellers(count)
    return [
        CategoryShowcase(Tile(top), [Tile(child) for child in children], cards(sellers[top.pk], rate))
        for top, children in category_tree(pictures=True)
        if sellers.get(top.pk)
    ]
