"""Builders of products, categories and brands for tests of any app."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any, TypeVar

from django.utils import timezone
from wagtail.signal_handlers import disable_reference_index_auto_update

from catalog.goods.models import Brand, Category, LevelPrice, PriceChange, Product
from catalog.goods.writing import save_brand, save_category, save_product, writing_catalogue

_Row = TypeVar("_Row", Product, Category, Brand)

_numbers = count(1)
# The category and the brand of products whose test names none.
DEFAULT_CATEGORY = {"name_en": "Default category", "name_zh": "默认分类"}
DEFAULT_BRAND = {"name_en": "Default brand", "name_zh": "默认品牌"}
# The values of a nutrition panel without servings.
PANEL = {
    "measure": "g",
    "serving": "30",
    "energy": "1540",
    "protein": "7.2",
    "fat": "1.2",
    "saturated": "0.3",
} | {
    "carbohydrate": "75",
    "sugars": "2.5",
    "sodium": "10",
}
# What the form of a product sends for its empty lists.
EMPTY_LISTS = {
    f"{name}-{field}_FORMS": 0
    for name in ("gallery", "level_prices", "price_tiers")
    for field in ("TOTAL", "INITIAL")
}


def form_values(product: Product, **kw: Any) -> dict[str, Any]:
    """Return what the form of a product sends, with empty lists."""
    fields = (
        *("name_en", "name_zh", "sku", "category_id", "brand_id", "price", "pack", "net_weight", "unit_en"),
        *("unit_zh", "storage", "origin", "min_amount", "limit_amount", "carton_size"),
    )
    values = {field.removesuffix("_id"): getattr(product, field) for field in fields}
    return values | EMPTY_LISTS | {"on_sale": "on"} | kw


def _save(save: Callable[[_Row], None], row: _Row) -> None:
    """Save a row without Wagtail's index of references, which takes most of the time; forms write it."""
    with disable_reference_index_auto_update():
        save(row)


def make_category(**kw: Any) -> Category:
    """Make a category, a top one unless `parent` is given."""
    number = next(_numbers)
    fields = {"name_en": f"Category {number}", "name_zh": f"分类{number}", "sort": number}
    category = Category(**fields | kw)
    _save(save_category, category)
    return category


def make_brand(**kw: Any) -> Brand:
    """Make a brand."""
    number = next(_numbers)
    brand = Brand(**{"name_en": f"Brand {number}", "name_zh": f"品牌{number}"} | kw)
    _save(save_brand, brand)
    return brand


def make_product(**kw: Any) -> Product:
    """Make a product on sale for 4.49, GST-free, ambient, 500 g.

    It shares its subcategory and brand with the others that name none, for each is indexed too. It has no
    stock; see `catalog.stock.tests.builders.stock`.
    """
    number = next(_numbers)
    fields: dict[str, Any] = {
        "sku": f"T{number:06}",
        "name_en": f"Product {number}",
        "name_zh": f"商品{number}",
        "pack": "500 g",
        "net_weight": 500,
        "unit_en": "bag",
        "unit_zh": "袋",
        "price": Decimal("4.49"),
        "gst_free": True,
        "origin": "AU",
    }
    # The index is written once for all that is made here.
    with writing_catalogue():
        if "category" not in kw and "category_id" not in kw:
            shared = Category.objects.filter(**DEFAULT_CATEGORY).first()
            fields["category"] = shared or make_category(**DEFAULT_CATEGORY, parent=make_category())
        if "brand" not in kw and "brand_id" not in kw:
            fields["brand"] = Brand.objects.filter(**DEFAULT_BRAND).first() or make_brand(**DEFAULT_BRAND)
        product = Product(**fields | kw)
        _save(save_product, product)
    return product


def make_products(count: int, **kw: Any) -> list[Product]:
    """Make many products as `make_product` does; the index is written once."""
    with writing_catalogue():
        return [make_product(**kw) for _ in range(count)]


def price_for_level(product: Product, level: int, price: str) -> LevelPrice:
    """Let members of a level pay another price for a product, in dollars."""
    return LevelPrice.objects.create(product=product, level=level, price=Decimal(price))


def charge(product: Product, *prices: tuple[str, timedelta]) -> None:
    """Replace the price history of a product: pairs of a price in dollars and how long ago it began."""
    product.price_changes.all().delete()
    PriceChange.objects.bulk_create(
        PriceChange(product=product, price=Decimal(price), charged_from=timezone.now() - ago)
        for price, ago in prices
    )
