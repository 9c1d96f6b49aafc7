"""The calls for brands, for categories with their goods, and for what to offer while somebody types."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from catalog.browse import brands
from catalog.browse.listing import on_shelves
from catalog.browse.out import (
    brand_out,
    classify_and_goods_out,
    suggested_classify_out,
    suggested_goods_out,
)
from catalog.browse.schemas import BrandOut, BrandQuery, ClassifyAndGoods, SuggestionsOut, SuggestQuery
from catalog.browse.shelves import best_sellers, category_tree
from catalog.goods.models import Category
from catalog.promotions.pricing import level_of, load_level_prices
from catalog.search.suggesting import suggest
from core.errors import Err, ShopError
from core.wire import Envelope, envelope, path_id

router = Router()
# Goods that `displayClassifyAndGoods` shows of each category.
DISPLAYED = 6
# What a suggestion holds: goods, and before them brands and categories each.
SUGGESTED_GOODS, SUGGESTED_SHELVES = 6, 3


@router.get("/v1/pc/class/brand", response=Envelope[list[BrandOut]])
def class_brand(request: HttpRequest, query: Query[BrandQuery]) -> dict[str, Any]:
    """List the brands with goods on sale, of a category or all."""
    if query.type is None:
        found = brands.all_brands()
    elif not query.classId:
        raise ShopError(Err.parameter_error, fields={"classId": "parameter_error"})
    else:
        found = brands.brands_of(query.type, path_id(query.classId, Err.goods_error))
    return envelope([brand_out(brand) for brand in found])


@router.get("/v1/pc/popularity/brand", response=Envelope[list[BrandOut]])
def popularity_brand(request: HttpRequest) -> dict[str, Any]:
    """List the popular brands: those editors have pinned, then by units sold in the last 90 days."""
    return envelope([brand_out(brand) for brand in brands.popular(brands.all_brands())])


@router.get("/v1/pc/home/displayClassifyAndGoods", response=Envelope[list[ClassifyAndGoods]])
def display_classify_and_goods(request: HttpRequest) -> dict[str, Any]:
    """List the top categories that have goods, each with its best sellers."""
    sellers = best_sellers(DISPLAYED)
    level = level_of(request)
    load_level_prices([product for goods in sellers.values() for product in goods], level)
    return envelope(
        [
            classify_and_goods_out(top, sellers[top.pk], level)
            for top, _children in category_tree(pictures=True)
            if sellers.get(top.pk)
        ]
    )


@router.get("/v1/pc/suggest", response=Envelope[SuggestionsOut])
def suggestions(request: HttpRequest, query: Query[SuggestQuery]) -> dict[str, Any]:
    """Offer goods, brands and categories for what has been typed so far."""
    meant = suggest(query.word, SUGGESTED_GOODS)
    goods = on_shelves().in_bulk(meant.goods)
    named = brands.in_bulk(meant.brands[:SUGGESTED_SHELVES])
    categories = Category.objects.in_bulk(meant.categories[:SUGGESTED_SHELVES])
    level = level_of(request)
    load_level_prices(goods.values(), level)
    return envelope(
        {
            "goods": [suggested_goods_out(goods[pk], level) for pk in meant.goods if pk in goods],
            "brands": [brand_out(named[pk]) for pk in meant.brands if pk in named],
            "categories": [
                suggested_classify_out(categories[pk]) for pk in meant.categories if pk in categories
            ],
        }
    )
