"""Goods and categories in the wire's names (CONTRACT 2)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from catalog.browse.listing import SOLD_OUT, Facets, stock_type
from catalog.goods.models import BASE_LEVEL, Brand, Category, Product
from catalog.goods.unitprice import unit_price
from catalog.promotions.offers import Offer, all_offers, offers_for
from catalog.promotions.pricing import member_price, price_ladder, was_price
from core.clock import to_wire
from core.countries import country_names
from core.pictures import CARD, PAGE, file_url, picture_url

# What `pictures_of` shows of a good, for a prefetch.
GALLERY = "gallery__picture__renditions"


def goods_list_out(products: Sequence[Product], level: int = BASE_LEVEL) -> list[dict[str, Any]]:
    """Write goods as `goods_out` does, asking for their offers once."""
    offers = offers_for([product.pk for product in products])
    return [goods_out(product, level, offers) for product in products]


def goods_out(
    product: Product, level: int = BASE_LEVEL, offers: Mapping[int, Offer] | None = None
) -> dict[str, Any]:
    """Write a good from `listing` as Goods, at a level's price; no query after `load_level_prices`."""
    price = member_price(product, level)
    offer = best_offer(product, price, offers)
    per_unit, measure = unit_price(product, price) or (None, None)
    brand, category = product.brand, product.category
    return {
        "goodsId": product.pk,
        "sku": product.sku,
        "goodsName": product.name_zh,
        "goodsEnglishName": product.name_en,
        "goodsImgUrl": _own_picture(product, CARD),
        "brandId": product.brand_id,
        "brandName": brand.name_zh,
        "brandNameEn": brand.name_en,
        "firstCategoryId": category.parent_id or category.pk,
        "goodsTypeId": category.pk,
        "memberPrice": price,
        "marketPrice": was_price(product),
        "goodsStockAmount": product.available,
        "isSelf": _flag(product.is_self),
        "isAdvance": _flag(product.is_advance),
        "stockType": stock_type(product),
        "netWeight": product.net_weight,
        "pack": product.pack,
        "packZh": product.pack_zh or product.pack,
        "unit": product.unit_en,
        "unitZh": product.unit_zh,
        "unitPrice": per_unit,
        "unitPriceMeasure": measure,
        "storage": product.storage,
        "gstFree": product.gst_free,
        "isBulk": product.is_bulk,
        "minAmount": product.min_amount,
        "limitAmount": product.limit_amount,
        "actionTypeId": offer and offer.promotion_id,
        "actionPrice": offer and offer.price,
    }


def price_tiers_out(product: Product, level: int = BASE_LEVEL) -> list[dict[str, Any]]:
    """Write from how many units of a bulk good on which price holds, none for other goods.

    No query after `load_tier_prices`.
    """
    if not product.is_bulk:
        return []
    return [{"fromAmount": amount, "price": price} for amount, price in price_ladder(product, level)]


def best_offer(product: Product, price: Decimal, offers: Mapping[int, Offer] | None = None) -> Offer | None:
    """Return the running offer of a good, None for one that is no lower than a price in dollars.

    `offers`: those of several goods, for whoever has asked for them already.
    """
    offer = (offers_for([product.pk]) if offers is None else offers).get(product.pk)
    return offer if offer and offer.price < price else None


def goods_at_offer_out(product: Product, offer: Offer, level: int = BASE_LEVEL) -> dict[str, Any]:
    """Write a good from `on_shelves` as Goods at the price of a promotion (CONTRACT 2, action/list).

    `marketPrice` is what it costs without, `goodsStockAmount` what is left of the promotion's units and of
    the stock, `limitAmount` the most per customer.
    """
    facts = goods_out(product, level)
    price = min(offer.price, facts["memberPrice"])
    per_unit, measure = unit_price(product, price) or (None, None)
    left = min(product.available, offer.quota_left)
    return facts | {
        "memberPrice": price,
        "marketPrice": facts["memberPrice"] if price < facts["memberPrice"] else None,
        "goodsStockAmount": left,
        "stockType": facts["stockType"] if left >= product.min_amount else SOLD_OUT,
        "unitPrice": per_unit,
        "unitPriceMeasure": measure,
        "limitAmount": offer.limit_amount,
        "actionTypeId": offer.promotion_id,
        "actionPrice": offer.price,
    }


def goods_detail_out(product: Product, level: int = BASE_LEVEL) -> dict[str, Any]:
    """Write a good from `listing` as GoodsDetail, at a level's price."""
    origin, origin_en = country_names(product.origin)
    shelves = [shelf for shelf in (product.category.parent, product.category) if shelf]
    return goods_out(product, level) | {
        "images": pictures_of(product, PAGE),
        "description": product.description_zh,
        "descriptionEn": product.description_en,
        "ingredients": product.ingredients_zh or None,
        "ingredientsEn": product.ingredients_en or None,
        "allergens": product.allergens,
        "origin": origin,
        "originEn": origin_en,
        "bestBefore": product.best_before and product.best_before.isoformat(),
        "classifyPath": [_classify_name(shelf) for shelf in shelves],
        "cartonSize": product.carton_size,
        "priceTiers": price_tiers_out(product, level),
        "promotions": [_offer_out(offer) for offer in all_offers(product)],
    }


def _offer_out(offer: Offer) -> dict[str, Any]:
    return promotion_name_out(offer) | {
        "actionPrice": offer.price,
        "goodsStockAmount": offer.quota_left,
        "limitAmount": offer.limit_amount,
    }


def promotion_name_out(offer: Offer) -> dict[str, Any]:
    """Write which promotion an offer is of, and until when it runs."""
    return {
        "goodsActionTypeId": offer.promotion_id,
        "goodsActionTypeName": offer.name_zh,
        "goodsActionTypeNameEn": offer.name_en,
        "endTime": to_wire(offer.ends_at),
        "endTimeIso": offer.ends_at,
    }


def pictures_of(product: Product, side: int = CARD) -> list[str]:
    """Return the addresses of a good's pictures, its own first; no query once its gallery is prefetched."""
    gallery = product.gallery.all() if getattr(product, "has_gallery", True) else ()
    urls = [_own_picture(product, side), *(picture_url(row.picture, side) for row in gallery)]
    return [url for url in urls if url]


def _own_picture(product: Product, side: int) -> str | None:
    """Return the address of a good's own picture; of one from `goods_rows` its file is known."""
    file = getattr(product, "card_file" if side == CARD else "page_file", None)
    return file_url(file, side) if file else picture_url(product.picture, side)


def spec_value_out(product: Product, level: int = BASE_LEVEL) -> dict[str, Any]:
    """Write a variant; where nothing was written of what sets it apart, its pack does."""
    return {
        "goodsId": product.pk,
        "value": product.variant_zh or product.pack_zh or product.pack,
        "valueEn": product.variant_en or product.pack,
        "memberPrice": member_price(product, level),
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


def classify_and_goods_out(top: Category, goods: Sequence[Product], level: int) -> dict[str, Any]:
    """Write a category with goods from `listing`, at a level's prices."""
    return _classify_name(top) | {
        "classifyImgUrl": picture_url(top.picture),
        "goods": [goods_out(product, level) for product in goods],
    }


def brand_out(brand: Brand) -> dict[str, Any]:
    """Write a brand."""
    return {
        "brandId": brand.pk,
        "brandName": brand.name_zh,
        "brandNameEn": brand.name_en,
        "brandImgUrl": picture_url(brand.picture),
    }


def suggested_goods_out(product: Product, level: int) -> dict[str, Any]:
    """Write a good from `listing` as a suggestion, at a level's price."""
    return {
        "goodsId": product.pk,
        "goodsName": product.name_zh,
        "goodsEnglishName": product.name_en,
        "goodsImgUrl": picture_url(product.picture),
        "memberPrice": member_price(product, level),
    }


def suggested_classify_out(category: Category) -> dict[str, Any]:
    """Write a category of either level as a suggestion."""
    return _classify_name(category) | {"classifyPid": category.parent_id or 0}


def _classify_name(category: Category) -> dict[str, Any]:
    return {
        "classifyId": category.pk,
        "classifyName": category.name_zh,
        "classifyEnglishName": category.name_en,
    }


def _flag(value: bool) -> str:
    return "1" if value else "0"
