"""What tests of any app need of the catalogue."""

from decimal import Decimal
from itertools import count
from typing import Any

from catalog.goods.models import Brand, Category, Product

_numbers = count(1)


def make_category(**kw: Any) -> Category:
    """Make a category, a top one unless `parent` is given."""
    number = next(_numbers)
    fields = {"name_en": f"Category {number}", "name_zh": f"分类{number}", "sort": number}
    return Category.objects.create(**fields | kw)


def make_brand(**kw: Any) -> Brand:
    """Make a brand."""
    number = next(_numbers)
    return Brand.objects.create(**{"name_en": f"Brand {number}", "name_zh": f"品牌{number}"} | kw)


def make_product(**kw: Any) -> Product:
    """Make a good on sale for 4.49, GST-free, ambient, 500 g, in a subcategory and of a brand of its own.

    It has no stock; see `catalog.stock.tests.builders.stock`.
    """
    number = next(_numbers)
    fields: dict[str, Any] = {
        "sku": f"T{number:06}",
        "name_en": f"Good {number}",
        "name_zh": f"商品{number}",
        "pack": "500 g",
        "net_weight": 500,
        "unit_en": "bag",
        "unit_zh": "袋",
        "price": Decimal("4.49"),
        "gst_free": True,
        "origin": "AU",
    }
    if "category" not in kw and "category_id" not in kw:
        fields["category"] = make_category(parent=make_category())
    if "brand" not in kw and "brand_id" not in kw:
        fields["brand"] = make_brand()
    return Product.objects.create(**fields | kw)
