"""Goods and categories in the wire's names (CONTRACT 2)."""

from collections.abc import Sequence
from typing import Any

from catalog.browse.listing import Facets, stock_type
from catalog.goods.models import Category, Product
from catalog.goods.unitprice import unit_price
from catalog.promotions.pricing import member_price
from core.countries import country_names
from core.pictures import PAGE, picture_url


def goods_out(product: Product) -> dict[str, Any]:
    """Write a good from `listing` as Goods; takes no query."""
    price = member_price(product)
    per_unit, measure = unit_price(product, price) or (None, None)
    return {
        "goodsId": product.pk,
        "sku": product.sku,
        "goodsName": product.name_zh,
        "goodsEnglishName": product.name_en,
        "goodsImgUrl": picture_url(product.picture),
        "brandId": product.brand_id,
        "brandName": product.brand.name_zh,
        "brandNameEn": product.brand.name_en,
        "firstCategoryId": product.category.parent_id or product.category_id,
        "goodsTypeId": product.category_id,
        "memberPrice": price,
        "marketPrice": product.market_price,
        "goodsStockAmount": product.available,
        "isSelf": _flag(product.is_self),
        "isAdvance": _flag(product.is_advance),
        "stockType": stock_type(product),
        "netWeight": product.net_weight,
        "pack": product.pack,
        "unit": product.unit_en,
        "unitZh": product.unit_zh,
        "unitPrice": per_unit,
        "unitPriceMeasure": measure,
        "storage": product.storage,
        "gstFree": product.gst_free,
        "isBulk": False,
        "minAmount": product.min_amount,
        "limitAmount": product.limit_amount,
        "actionTypeId": None,
        "actionPrice": None,
    }


def goods_detail_out(product: Product) -> dict[str, Any]:
    """Write a good from `listing` as GoodsDetail; takes no query."""
    big_picture = picture_url(product.picture, PAGE)
    origin, origin_en = country_names(product.origin)
    shelves = [shelf for shelf in (product.category.parent, product.category) if shelf]
    return goods_out(product) | {
        "images": [big_picture] if big_picture else [],
        "description": product.description_zh,
        "descriptionEn": product.description_en,
        "ingredients": None,
        "ingredientsEn": None,
        "allergens": [],
        "origin": origin,
        "originEn": origin_en,
        "bestBefore": None,
        "classifyPath": [_classify_name(shelf) for shelf in shelves],
        "promotions": [],
    }


def spec_value_out(product: Product) -> dict[str, Any]:
    """Write a variant; where nothing was written of what sets it apart, its pack does."""
    return {
        "goodsId": product.pk,
        "value": product.variant_zh or product.pack,
        "valueEn": product.variant_en or product.pack,
        "memberPrice": member_price(product),
        "goodsStockAmount": product.available,
        "goodsImgUrl": picture_url(product.picture),
    }


def facets_out(facets: Facets) -> dict[str, Any]:
    """Write the counts of every further choice."""
    return {
        "brands": [
            {"brandName": brand.name_zh, "brandNameEn": brand.name_en, "count": count}
            for brand, count in facets.brands
        ],
        "categories": [{"classifyId": pk, "count": count} for pk, count in sorted(facets.categories.items())],
        "stockTypes": [
            {"stockType": kind, "count": count} for kind, count in sorted(facets.stock_types.items())
        ],
    }


def classify_out(category: Category, children: Sequence[Category] = ()) -> dict[str, Any]:
    """Write a category with those below it."""
    return _classify_name(category) | {
        "classifyPid": category.parent_id or 0,
        "classifyImgUrl": picture_url(category.picture),
        "secondClassify": [classify_out(child) for child in children],
    }


def _classify_name(category: Category) -> dict[str, Any]:
    return {
        "classifyId": category.pk,
        "classifyName": category.name_zh,
        "classifyEnglishName": category.name_en,
    }


def _flag(value: bool) -> str:
    return "1" if value else "0"
