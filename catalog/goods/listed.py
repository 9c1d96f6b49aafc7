"""The facts of a product that carts, lists and pages read once and never write."""

from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils import timezone

from catalog.goods.dietary import dietary_filters
from catalog.goods.models import Brand, Category, Product, Storage, is_chinese
from catalog.goods.nutrition import Panel
from catalog.goods.unitprice import unit_rule
from core import clock
from core.pictures.renditions import PAGE, picture_url

IN_STOCK, ADVANCE, SOLD_OUT = "1", "2", "3"


@dataclass(frozen=True, slots=True)
class CartProduct:
    """A product as carts show it and orders copy it, with the facts that determine its price.

    Each field has the name of its column, except the last three. `available`: units that a delivery order can
    buy now. `unit_rule`: the rule of its category (`catalog.goods.unitprice`). `picture_url`: 256 px square.
    `catalog.browse.rows` creates it from a row.
    """

    id: int
    sku: str
    name_en: str
    name_zh: str
    pack: str
    pack_zh: str
    net_weight: int
    price: Decimal
    market_price: Decimal | None
    gst_free: bool
    storage: str
    is_self: bool
    is_advance: bool
    expected_on: date | None
    is_bulk: bool
    on_sale: bool
    carton_size: int
    min_amount: int
    limit_amount: int
    picture_id: int | None
    available: int
    unit_rule: str
    picture_url: str | None

    @property
    def name(self) -> str:
        """The name in the reader's language."""
        return self.name_zh if is_chinese() else self.name_en

    @property
    def other_name(self) -> str:
        """The name in the other language."""
        return self.name_en if is_chinese() else self.name_zh

    @property
    def expected(self) -> date | None:
        """The date on which an advance product is expected; None if it is unknown or has passed."""
        if not self.is_advance or self.expected_on is None:
            return None
        today = timezone.localdate(timezone=clock.shop_zone())
        return self.expected_on if self.expected_on >= today else None

    @property
    def pack_text(self) -> str:
        """The pack in the reader's language."""
        return self.pack_in_chinese if is_chinese() else self.pack

    @property
    def pack_in_chinese(self) -> str:
        """The pack in Chinese; in English if there is no Chinese text."""
        return self.pack_zh or self.pack


@dataclass(frozen=True, slots=True)
class ListedProduct(CartProduct):
    """A product with the additional facts of lists.

    `brand` and `category` are shared objects, with the category's parent loaded. `listed` creates it from a
    Product, `catalog.browse.rows` from a row.
    """

    group_id: int | None
    variant_en: str
    variant_zh: str
    unit_en: str
    unit_zh: str
    brand: Brand
    category: Category

    @property
    def first_category_id(self) -> int:
        """The id of its top category."""
        return self.category.parent_id or self.category.id

    @property
    def variant_name(self) -> str:
        """The difference between this variant and the others of its group, in the reader's language."""
        return self.variant_in_chinese if is_chinese() else self.variant_in_english

    @property
    def variant_in_chinese(self) -> str:
        """The difference between this variant and the others in Chinese; the pack if there is no text."""
        return self.variant_zh or self.pack_in_chinese

    @property
    def variant_in_english(self) -> str:
        """The difference between this variant and the others in English; the pack if there is no text."""
        return self.variant_en or self.pack


@dataclass(frozen=True, slots=True)
class DetailedProduct(ListedProduct):
    """A product with the additional facts of its own page and of GoodsDetail.

    `picture_urls`: 640 px square; the product's own picture first, then the gallery.
    """

    origin: str
    no_export: bool
    description_en: str
    description_zh: str
    ingredients_en: str
    ingredients_zh: str
    allergens: list[str]
    may_contain: list[str]
    allergens_checked: bool
    diets: list[str]
    nutrition: Panel | None
    directions_en: str
    directions_zh: str
    warnings_en: str
    warnings_zh: str
    aust_number: str
    gtin: str
    best_before: date | None
    picture_urls: list[str]

    @property
    def is_exported(self) -> bool:
        """Return True if the product may be sent abroad."""
        return self.storage == Storage.ambient and not self.no_export

    @property
    def description(self) -> str:
        """The description in the reader's language."""
        return self.description_zh if is_chinese() else self.description_en

    @property
    def ingredients(self) -> str:
        """The ingredients in the reader's language."""
        return self.ingredients_zh if is_chinese() else self.ingredients_en

    @property
    def directions(self) -> str:
        """The directions for use in the reader's language."""
        return self.directions_zh if is_chinese() else self.directions_en

    @property
    def warnings(self) -> str:
        """The warnings of the label in the reader's language."""
        return self.warnings_zh if is_chinese() else self.warnings_en

    @property
    def dietary_filters(self) -> frozenset[str]:
        """The dietary filters that the product passes."""
        return dietary_filters(self.diets, self.allergens, self.may_contain, checked=self.allergens_checked)


def listed(product: Product, *, available: int) -> ListedProduct:
    """Return the facts for lists of a product whose picture, brand and category are loaded."""
    return ListedProduct(**_facts(ListedProduct, product, available))


def detailed(product: Product, *, available: int) -> DetailedProduct:
    """Return the facts for a product's page; the same objects as for `listed` and its gallery are loaded."""
    images = [product.picture, *(row.picture for row in product.gallery.all())]
    urls = [url for image in images if (url := picture_url(image, PAGE))]
    return DetailedProduct(**_facts(DetailedProduct, product, available), picture_urls=urls)


def stock_type(product: Product | CartProduct, *, available: int) -> str:
    """Return the stock type: in stock, advance or limited, sold out; `available` units can be bought."""
    if available < product.min_amount:
        return SOLD_OUT
    return ADVANCE if product.is_advance else IN_STOCK


def _facts(kind: type[ListedProduct], product: Product, available: int) -> dict[str, Any]:
    looked_up = {
        "available": available,
        "unit_rule": unit_rule(product.category),
        "picture_url": picture_url(product.picture),
    }
    names = {field.name for field in fields(kind)} - {*looked_up, "picture_urls"}
    return {name: getattr(product, name) for name in names} | looked_up
