"""Functions that return the catalogue's schemas as dictionaries (docs/wire.md#catalogue)."""

from collections.abc import Iterable, Sequence
from typing import Any

from catalog.browse.listing import Facets
from catalog.browse.schemas import BatchGoods, CartGoods, GoodsDetail, GoodsOut, SpecValue, SuggestedGoods
from catalog.goods.listed import CartProduct, DetailedProduct, ListedProduct
from catalog.goods.models import Brand, Category, ProductGroup
from catalog.promotions.models import Promotion
from catalog.promotions.offers import Offer
from catalog.promotions.pricing import PricedProduct
from catalog.rates.models import ExchangeRate
from core.clock import to_wire
from core.countries import country_names
from core.languages import in_both_languages
from core.pictures.renditions import picture_url
from core.wire import reader

_read_cart_goods, _read_batch_goods = reader(CartGoods), reader(BatchGoods)
_read_goods, _read_detail = reader(GoodsOut), reader(GoodsDetail)
_read_spec_value, _read_suggestion = reader(SpecValue), reader(SuggestedGoods)


def cart_goods_out(priced: PricedProduct[CartProduct]) -> dict[str, Any]:
    """Return a product as CartGoods."""
    return _read_cart_goods(priced)


def goods_out(priced: PricedProduct[ListedProduct]) -> dict[str, Any]:
    """Return a product as GoodsOut."""
    return _read_goods(priced)


def goods_detail_out(priced: PricedProduct[DetailedProduct], offers: Iterable[Offer]) -> dict[str, Any]:
    """Return a product with its price tiers and all its running offers as GoodsDetail."""
    product = priced.product
    origin, origin_en = country_names(product.origin)
    path = [category for category in (product.category.parent, product.category) if category]
    return _read_detail(priced) | {
        "origin": origin,
        "originEn": origin_en,
        "classifyPath": [_classify_name(category) for category in path],
        "priceTiers": price_tiers_out(priced),
        "promotions": [_offer_out(offer) for offer in offers],
    }


def bulk_goods_out(priced: PricedProduct[CartProduct]) -> dict[str, Any]:
    """Return a product with its price tiers as the bulk cart stores it."""
    return _read_batch_goods(priced) | {"priceTiers": price_tiers_out(priced)}


def price_tiers_out(priced: PricedProduct[CartProduct]) -> list[dict[str, Any]]:
    """Return the price tiers of a product; empty if it is not sold in bulk."""
    tiers = priced.tiers if priced.product.is_bulk else ()
    return [{"fromAmount": tier.from_amount, "price": tier.price} for tier in tiers]


def _offer_out(offer: Offer) -> dict[str, Any]:
    return promotion_name_out(offer) | {
        "actionPrice": offer.price,
        "goodsStockAmount": offer.quota_left,
        "limitAmount": offer.limit_amount,
    }


def promotion_name_out(offer: Offer) -> dict[str, Any]:
    """Return the promotion of an offer as PromotionName."""
    return {
        "goodsActionTypeId": offer.promotion_id,
        "goodsActionTypeName": offer.name_zh,
        "goodsActionTypeNameEn": offer.name_en,
        "kind": offer.kind,
        "rule": offer.rule_zh,
        "ruleEn": offer.rule_en,
        "buyUnits": offer.buy_units,
        "freeUnits": offer.free_units,
        "endTime": to_wire(offer.ends_at),
        "endTimeIso": offer.ends_at,
    }


def promotion_out(promotion: Promotion) -> dict[str, Any]:
    """Return a promotion as PromotionOut."""
    rule = in_both_languages(lambda: promotion.rule)
    return {
        "goodsActionTypeId": promotion.pk,
        "goodsActionTypeName": promotion.name_zh,
        "goodsActionTypeNameEn": promotion.name_en,
        "kind": promotion.kind,
        "rule": rule.zh,
        "ruleEn": rule.en,
        "buyUnits": promotion.buy_units,
        "freeUnits": promotion.free_units,
        "imgUrl": picture_url(promotion.picture),
        "startTime": to_wire(promotion.starts_at),
        "endTime": to_wire(promotion.ends_at),
        "endTimeIso": promotion.ends_at,
    }


def specs_out(
    product_id: int, group: ProductGroup | None, variants: Iterable[PricedProduct[ListedProduct]]
) -> dict[str, Any]:
    """Return the variants of a product's group; `specs` is empty without a group."""
    spec = group and {
        "specName": group.name_zh,
        "specNameEn": group.name_en,
        "values": [_read_spec_value(variant) for variant in variants],
    }
    return {"goodsId": product_id, "specs": [spec] if spec else []}


def facets_out(facets: Facets) -> dict[str, Any]:
    """Return the counts of all further choices."""
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
    """Return a category with its subcategories."""
    return _classify_name(category) | {
        "classifyPid": category.parent_id or 0,
        "classifyImgUrl": picture_url(category.picture),
        "secondClassify": [classify_out(child) for child in children],
    }


def classify_and_goods_out(top: Category, products: Iterable[PricedProduct[ListedProduct]]) -> dict[str, Any]:
    """Return a category with some of its products."""
    return _classify_name(top) | {
        "classifyImgUrl": picture_url(top.picture),
        "goods": [goods_out(priced) for priced in products],
    }


def brand_out(brand: Brand) -> dict[str, Any]:
    """Return a brand as BrandOut."""
    return {
        "brandId": brand.pk,
        "brandName": brand.name_zh,
        "brandNameEn": brand.name_en,
        "brandImgUrl": picture_url(brand.picture),
    }


def suggested_goods_out(priced: PricedProduct[ListedProduct]) -> dict[str, Any]:
    """Return a product as a suggestion."""
    return _read_suggestion(priced)


def suggested_classify_out(category: Category) -> dict[str, Any]:
    """Return a category of either level as a suggestion."""
    return _classify_name(category) | {"classifyPid": category.parent_id or 0}


def _classify_name(category: Category) -> dict[str, Any]:
    return {
        "classifyId": category.pk,
        "classifyName": category.name_zh,
        "classifyEnglishName": category.name_en,
    }


def rate_out(newest: ExchangeRate | None) -> dict[str, Any]:
    """Return an exchange rate as RateOut, or the default before the first fetch."""
    return {
        "exchangeRate": newest.rate if newest else ExchangeRate.DEFAULT_RATE,
        "updateTime": newest.as_of if newest else None,
    }
