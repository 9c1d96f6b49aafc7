"""The home page's category tiles, showcases of categories, and picked products."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import OuterRef, Subquery

from catalog.browse.cards import Card, cards, hue_class
from catalog.browse.listing import listable_products
from catalog.browse.rows import listed_rows
from catalog.browse.snapshot import snapshot
from catalog.goods.models import Category, Product
from catalog.goods.sellable import sellable_products
from core.languages import localised
from core.pictures.renditions import PictureFiles, files_of_pictures


@dataclass(frozen=True)
class Tile:
    """A category as a page shows it; `picture` is its own where the page shows that."""

    category: Category
    picture: PictureFiles | None = None

    @property
    def url(self) -> str:
        """The URL of its page, in the reader's language."""
        name = "goodsTypeId" if self.category.parent_id else "firstCategoryId"
        return localised(f"/shop?{name}={self.category.pk}")

    @property
    def hue(self) -> str:
        """The class of its hue."""
        return hue_class(self.category.tint)


@dataclass(frozen=True)
class CategoryShowcase:
    """A top category with its subcategories and the cards of its best sellers."""

    top: Tile
    children: list[Tile]
    cards: list[Card]


def category_tree(*, pictures: bool = False) -> list[tuple[Category, list[Category]]]:
    """Return the top categories, each with its subcategories, in order: those of the snapshot.

    With `pictures` they are read anew, in two queries.
    """
    rows: Iterable[Category]
    if pictures:
        rows = Category.objects.select_related("picture").prefetch_related("picture__renditions")
    else:
        rows = snapshot().categories.values()
    children: dict[int, list[Category]] = defaultdict(list)
    for row in rows:
        if row.parent_id:
            children[row.parent_id].append(row)
    return [(row, children[row.pk]) for row in rows if row.parent_id is None]


def top_categories() -> list[Tile]:
    """Return the tiles of the top categories, with their pictures; queries as `files_of_pictures`."""
    return _tiles([top for top, _children in category_tree()])


def _tiles(tops: Sequence[Category]) -> list[Tile]:
    pictures = files_of_pictures(top.picture_id for top in tops)
    return [Tile(top, pictures.get(top.picture_id)) for top in tops]


def picked(ids: Sequence[int], rate: Decimal) -> list[Card]:
    """Return the cards of the products with these ids that are on sale, in the given order."""
    return cards(listed_rows(list(dict.fromkeys(ids))), rate)


def best_sellers(count: int) -> dict[int, list[Product]]:
    """Return the `count` of `listable_products` that sell best in each top category, by the category."""
    ids = _best_seller_ids(count)
    found = listable_products().in_bulk([pk for best in ids.values() for pk in best])
    return {top: [found[pk] for pk in best if pk in found] for top, best in ids.items()}


def _best_seller_ids(count: int) -> dict[int, list[int]]:
    """Return the ids of the products that sell best, by the top category.

    Each is read from the start of an index, whatever the number of products.
    """
    of_category = sellable_products().filter(top_category=OuterRef("pk"))
    ranked = of_category.order_by("-units_sold", "id").values("pk")
    places = {f"best_{place}": Subquery(ranked[place : place + 1]) for place in range(count)}
    tops = Category.objects.filter(parent=None).order_by().annotate(**places)
    return {top: [pk for pk in best if pk] for top, *best in tops.values_list("pk", *places)}


def best_of_categories(count: int, rate: Decimal) -> list[CategoryShowcase]:
    """Return each top category that has products, with its `count` best sellers."""
    ids = _best_seller_ids(count)
    products = listed_rows([pk for best in ids.values() for pk in best])
    found = {card.product.id: card for card in cards(products, rate)}
    children = {top.pk: below for top, below in category_tree()}
    return [
        CategoryShowcase(
            tile,
            [Tile(child) for child in children[tile.category.pk]],
            [found[pk] for pk in ids[tile.category.pk] if pk in found],
        )
        for tile in top_categories()
        if ids.get(tile.category.pk)
    ]
