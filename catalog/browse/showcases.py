"""The home page's category tiles and showcases of categories."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from django.db.models import OuterRef, Subquery

from catalog.browse.cards import Card, hue_class
from catalog.browse.listing import listable_products
from catalog.browse.page_cards import PageCards
from catalog.browse.snapshot import snapshot
from catalog.goods.models import Category, Product
from catalog.goods.sellable import sellable_products
from core.languages import localised
from core.pages.blocks import columns_of
from core.pictures.renditions import PictureFiles
from core.snapshots import PageRows

# The most best sellers per category that a page or call requests.
MAX_BEST = 10
# The number of showcases on a page whose cards are in the HTML.
WHOLE_SHOWCASES = 3


@dataclass(frozen=True)
class Tile:
    """A category as a page shows it; `picture` is set only if the page shows it."""

    category: Category
    picture: PictureFiles | None = None

    @property
    def shows(self) -> Hashable:
        """Every fact that a template can read, as plain values: see `core.pages.blocks`."""
        return columns_of(self.category), self.picture

    @property
    def url(self) -> str:
        """The URL of the category's page, in the reader's language."""
        name = "goodsTypeId" if self.category.parent_id else "firstCategoryId"
        return localised(f"/shop?{name}={self.category.pk}")

    @property
    def hue(self) -> str:
        """The CSS class of the category's hue."""
        return hue_class(self.category.tint)


@dataclass(frozen=True)
class CategoryShowcase:
    """A top category with its subcategories and best sellers.

    `cards` has the best sellers in the HTML. `later` has the ids of the others, whose cards the browser
    fetches when the reader scrolls near them.
    """

    top: Tile
    children: list[Tile]
    cards: list[Card]
    later: list[int]

    @property
    def shows(self) -> Hashable:
        """Every fact that the template can read, as plain values: see `core.pages.blocks`."""
        children, cards = [tile.shows for tile in self.children], [card.shows for card in self.cards]
        return self.top.shows, tuple(children), tuple(cards), tuple(self.later)


def category_tree(*, pictures: bool = False) -> list[tuple[Category, list[Category]]]:
    """Return the top categories in order, each with its subcategories, from the snapshot.

    With `pictures` two queries read them and their pictures from the database.
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


def best_sellers(count: int) -> dict[int, list[Product]]:
    """Return top category id → its `count` best sellers, from `listable_products`."""
    ids = best_seller_ids(count)
    found = listable_products().in_bulk([pk for best in ids.values() for pk in best])
    return {top: [found[pk] for pk in best if pk in found] for top, best in ids.items()}


def best_seller_ids(count: int) -> dict[int, list[int]]:
    """Return top category id → the ids of its `count` best sellers.

    At most one query per SNAPSHOT_SECONDS, because best sellers change slowly.
    """
    return _best_sellers(count).get()


@lru_cache(MAX_BEST)
def _best_sellers(count: int) -> PageRows[dict[int, list[int]]]:
    return PageRows(partial(_read_best_sellers, count))


def _read_best_sellers(count: int) -> dict[int, list[int]]:
    """Read the best sellers from the start of an index, independent of the number of products."""
    of_category = sellable_products().filter(top_category=OuterRef("pk"))
    ranked = of_category.order_by("-units_sold", "id").values("pk")
    places = {f"best_{place}": Subquery(ranked[place : place + 1]) for place in range(count)}
    tops = Category.objects.filter(parent=None).order_by().annotate(**places)
    return {top: [pk for pk in best if pk] for top, *best in tops.values_list("pk", *places)}


class CategoryParts:
    """The top categories of one snapshot, for the tiles and showcases of a page."""

    def __init__(self) -> None:
        self._tree = category_tree()
        self.picture_ids = [top.picture_id for top, _children in self._tree]

    def tiles(self, pictures: Mapping[int | None, PictureFiles]) -> list[Tile]:
        """Return the tiles of the top categories, with their pictures."""
        return [Tile(top, pictures.get(top.picture_id)) for top, _children in self._tree]

    def showcases(self, best: Mapping[int, list[int]], cards: PageCards) -> list[CategoryShowcase]:
        """Return the showcases of top categories with best sellers; only the first ones have cards."""
        whole = set(self.all_ids(best))
        return [
            CategoryShowcase(
                tile,
                [Tile(child) for child in children],
                cards=cards.of(pk for pk in best[tile.category.pk] if pk in whole),
                later=[pk for pk in best[tile.category.pk] if pk not in whole],
            )
            for tile, (_top, children) in zip(self.tiles(cards.pictures), self._tree, strict=True)
            if best.get(tile.category.pk)
        ]

    def all_ids(self, best: Mapping[int, list[int]]) -> list[int]:
        """Return the ids of the products whose cards are in the HTML."""
        filled = [ids for top, _children in self._tree if (ids := best.get(top.pk))]
        return [pk for ids in filled[:WHOLE_SHOWCASES] for pk in ids]
