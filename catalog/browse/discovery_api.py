"""The calls for brands, categories with their products, and suggestions."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from catalog.browse import brands
from catalog.browse.listing import listable_products, listed_products
from catalog.browse.schemas import BrandOut, BrandQuery, ClassifyAndGoods, SuggestionsOut, SuggestQuery
from catalog.browse.serializers import (
    brand_out,
    classify_and_goods_out,
    suggested_classify_out,
    suggested_goods_out,
)
from catalog.browse.showcases import best_sellers, category_tree
from catalog.browse.snapshot import snapshot
from catalog.goods.models import Category
from catalog.promotions.pricing import level_of, price_products
from catalog.search.suggesting import suggest
from core.errors import Err, ShopError
from core.wire import Envelope, envelope, path_id

router = Router()
# The number of products of each category in `displayClassifyAndGoods`.
DISPLAYED = 6
# The most suggested products, and the most suggested brands and categories.
SUGGESTED_PRODUCTS, SUGGESTED_NAMES = 6, 3


@router.get("/v1/pc/class/brand", response=Envelope[list[BrandOut]])
def class_brand(request: HttpRequest, query: Query[BrandQuery]) -> dict[str, Any]:
    """List the brands with products on sale, of one category or of all."""
    if query.type is None:
        found = brands.all_brands()
    elif not query.classId:
        raise ShopError(Err.parameter_error, fields={"classId": "parameter_error"})
    else:
        found = brands.brands_of(query.type, path_id(query.classId, Err.goods_error))
    return envelope([brand_out(brand) for brand in found])


@router.get("/v1/pc/popularity/brand", response=Envelope[list[BrandOut]])
def popularity_brand(request: HttpRequest) -> dict[str, Any]:
    """List the popular brands: pinned brands first, then by units sold in the last 90 days."""
    return envelope([brand_out(brand) for brand in brands.popular(brands.all_brands())])


@router.get("/v1/pc/home/displayClassifyAndGoods", response=Envelope[list[ClassifyAndGoods]])
def display_classify_and_goods(request: HttpRequest) -> dict[str, Any]:
    """List the top categories that have products, each with its best sellers."""
    sellers = best_sellers(DISPLAYED)
    products = listed_products(product for best in sellers.values() for product in best)
    priced = {row.product.id: row for row in price_products(products, level=level_of(request))}
    return envelope(
        [
            classify_and_goods_out(top, [priced[product.pk] for product in sellers[top.pk]])
            for top, _children in category_tree(pictures=True)
            if sellers.get(top.pk)
        ]
    )


@router.get("/v1/pc/suggest", response=Envelope[SuggestionsOut])
def suggestions(request: HttpRequest, query: Query[SuggestQuery]) -> dict[str, Any]:
    """Return products, brands and categories for the text typed so far."""
    meant = suggest(query.word, SUGGESTED_PRODUCTS, snapshot().thesaurus)
    products = listable_products().in_bulk(meant.products)
    likeliest = listed_products(products[pk] for pk in meant.products if pk in products)
    priced = price_products(likeliest, level=level_of(request), with_offers=False)
    named = brands.in_bulk(meant.brands[:SUGGESTED_NAMES])
    categories = Category.objects.in_bulk(meant.categories[:SUGGESTED_NAMES])
    return envelope(
        {
            "goods": [suggested_goods_out(product) for product in priced],
            "brands": [brand_out(named[pk]) for pk in meant.brands if pk in named],
            "categories": [
                suggested_classify_out(categories[pk]) for pk in meant.categories if pk in categories
            ],
        }
    )
