"""Lists of brands: popular brands, the brands of a category, and all brands by initial."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import QuerySet

from catalog.browse.listpage import shop_url
from catalog.goods.models import Brand, Category, is_chinese
from catalog.goods.sales import brands_on_sale, units_by_brand
from catalog.goods.sellable import sellable_products
from catalog.search.folding import fold
from core.errors import Err, ShopError
from core.languages import other_html_language
from core.pictures.renditions import PictureFiles, picture_files
from core.snapshots import PageRows

POPULAR = 12
# The group of names that do not begin with a Latin letter.
OTHERS = "#"


class BrandLogo(NamedTuple):
    """A popular brand as pages show it, in the reader's language."""

    name: str
    other_name: str
    other_lang: str
    url: str
    picture: PictureFiles | None


@dataclass(frozen=True)
class BrandTile:
    """A brand as pages show it."""

    brand: Brand

    @property
    def url(self) -> str:
        """The URL of the brand's page, in the reader's language."""
        return shop_url([("brandName", self.brand.name_en)])

    @property
    def other_name(self) -> str:
        """The name in the other language; empty if both names are the same."""
        return "" if self.brand.other_name == self.brand.name else self.brand.other_name

    @property
    def other_lang(self) -> str:
        """The language of `other_name`, for the lang attribute."""
        return other_html_language()

    @property
    def logo(self) -> BrandLogo:
        """The brand as the popular brands show it; without a query if its picture is prefetched."""
        files = picture_files(self.brand.picture)
        return BrandLogo(self.brand.name, self.other_name, self.other_lang, self.url, files)

    @property
    def sort_key(self) -> str:
        """The key for sorting: the pinyin of the Chinese name, or the English name."""
        return fold(self.brand.pinyin if is_chinese() else self.brand.name_en)

    @property
    def initial(self) -> str:
        """The brand's initial: of the pinyin in Chinese, of the name in English."""
        first = self.sort_key[:1].upper()
        return first if "A" <= first <= "Z" else OTHERS


def all_brands() -> list[Brand]:
    """Return all brands with products on sale with their pictures, sorted by English name.

    At most two queries per SNAPSHOT_SECONDS.
    """
    return _brands.get()


def popular(brands: Iterable[Brand], count: int = POPULAR) -> list[Brand]:
    """Return the most popular of `all_brands`: pinned brands first, then by units sold.

    Counts sales of the last 90 days; equal brands are sorted by all sales of their best seller. At most one
    query per SNAPSHOT_SECONDS.
    """
    sold = _sold.get()

    def place(brand: Brand) -> tuple[int, int, int, str, int]:
        pinned = 2**31 if brand.popular_place is None else brand.popular_place
        return pinned, -sold.get(brand.pk, 0), -brand.best_units, brand.name_en, brand.pk

    return sorted(brands, key=place)[:count]


def brands_of(kind: str, category_id: int) -> list[Brand]:
    """Return the brands with products on sale in a category, sorted by English name.

    `kind`: "1" for a top category, "2" for a subcategory (docs/wire.md#brands).
    Raises ShopError(goods_error) if there is no such category on that level.
    """
    is_top = kind == "1"
    if not Category.objects.filter(pk=category_id, parent__isnull=is_top).exists():
        raise ShopError(Err.goods_error)
    condition = {"top_category": category_id} if is_top else {"category": category_id}
    there = sellable_products().filter(**condition).order_by().values("brand").distinct()
    return list(_with_pictures(Brand.objects.filter(pk__in=there)))


def in_bulk(ids: Sequence[int]) -> dict[int, Brand]:
    """Return the brands with these ids and with products on sale, with their pictures."""
    return _with_pictures(brands_on_sale()).in_bulk(ids) if ids else {}


def _with_pictures(brands: QuerySet[Brand]) -> QuerySet[Brand]:
    return brands.select_related("picture").prefetch_related("picture__renditions")


_brands = PageRows(lambda: list(_with_pictures(brands_on_sale())), Brand)
_sold = PageRows(units_by_brand)


def matching(brands: Iterable[Brand], word: str) -> list[Brand]:
    """Return the brands whose names contain a word, in either script or in pinyin."""
    wanted = fold(word).replace(" ", "")
    return [
        brand
        for brand in brands
        if any(wanted in fold(name).replace(" ", "") for name in (brand.name_en, brand.name_zh, brand.pinyin))
    ]


@dataclass(frozen=True)
class Initial:
    """The brands under one letter."""

    letter: str
    tiles: list[BrandTile]

    @property
    def anchor(self) -> str:
        """The id of the letter's anchor on the page."""
        return f"letter-{self.letter.replace(OTHERS, 'other')}"


def by_initial(brands: Iterable[Brand]) -> list[Initial]:
    """Return the brands grouped by initial, in order; names without a Latin initial come last."""
    letters: dict[str, list[BrandTile]] = defaultdict(list)
    for tile in sorted(map(BrandTile, brands), key=lambda tile: (tile.sort_key, tile.brand.pk)):
        letters[tile.initial].append(tile)
    in_order = sorted(letters, key=lambda letter: (letter == OTHERS, letter))
    return [Initial(letter, letters[letter]) for letter in in_order]
