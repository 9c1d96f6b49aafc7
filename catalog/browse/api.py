"""The catalogue's calls: public, and the same for all callers except for the prices of member levels.

See docs/wire.md#catalogue.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from catalog.browse.listing import listable_products, listed_products, listing
from catalog.browse.rows import detailed_row, listed_rows
from catalog.browse.schemas import (
    BatchGoodsOut,
    Classify,
    GoodsDetail,
    GoodsIds,
    GoodsPage,
    GoodsQuery,
    RateOut,
    SpecsOut,
)
from catalog.browse.serializers import (
    bulk_goods_out,
    classify_out,
    facets_out,
    goods_detail_out,
    goods_out,
    rate_out,
    specs_out,
)
from catalog.browse.showcases import category_tree
from catalog.browse.snapshot import Snapshot
from catalog.goods.models import Category, Product
from catalog.goods.sellable import sellable_products
from catalog.promotions.offers import all_offers
from catalog.promotions.pricing import level_of, price_products
from catalog.rates.current import current_rate
from catalog.search.tasks import count_failed_search
from core.errors import Err, ShopError
from core.wire import Envelope, answer, envelope, path_id

router = Router()


@router.get("/v1/pc/exchangeRate", response=Envelope[RateOut])
def exchange_rate(request: HttpRequest) -> dict[str, Any]:
    """Return the exchange rate in CNY per AUD."""
    return envelope(rate_out(current_rate()))


@router.get("/v1/pc/home/classify", response=Envelope[list[Classify]])
def classify(request: HttpRequest) -> dict[str, Any]:
    """List the top categories, each with its subcategories."""
    return envelope([classify_out(top, children) for top, children in category_tree(pictures=True)])


@router.post("/v1/pc/goods/list", response=Envelope[GoodsPage])
def goods_list(request: HttpRequest, query: GoodsQuery | None = None) -> HttpResponse:
    """List products by brand, category, word, price and stock, with facets."""
    query = query or GoodsQuery()
    found = listing(query.filters())
    _refuse_unknown(query, found.counts.now)
    if query.word and found.counts.found.has_no_match:
        count_failed_search(query.word)
    start = (query.page - 1) * query.size
    products = price_products(found.rows(start, start + query.size), level=level_of(request))
    return answer(
        {
            "list": [goods_out(product) for product in products],
            "total": len(found),
            "page": query.page,
            "size": query.size,
            "facets": facets_out(found.facets),
        }
    )


@router.post("/v1/pc/goods/batch", response=Envelope[BatchGoodsOut])
def goods_batch(request: HttpRequest, query: GoodsIds) -> HttpResponse:
    """Return the data of several products that a cart stores; products not on sale are omitted."""
    products = listed_rows(list(dict.fromkeys(query.goodsIds)))
    priced = price_products(products, level=level_of(request), amounts={}, with_offers=False)
    return answer({"list": [bulk_goods_out(product) for product in priced]})


@router.get("/v1/pc/goods/{goods_id}", response=Envelope[GoodsDetail])
def goods_detail(request: HttpRequest, goods_id: str) -> HttpResponse:
    """Return all details of a product."""
    pk = path_id(goods_id, Err.goods_error)
    product = detailed_row(pk)
    if product is None:
        raise _missing(pk)
    [priced] = price_products([product], level=level_of(request), amounts={})
    return answer(goods_detail_out(priced, all_offers(pk)))


@router.get("/v1/pc/spec/{goods_id}", response=Envelope[SpecsOut])
def specs(request: HttpRequest, goods_id: str) -> dict[str, Any]:
    """List the variants of a product, including itself; empty if it has no product group."""
    product = _product_on_sale(goods_id)
    group = product.group
    variants = listable_products().filter(group=group).order_by("net_weight", "pk") if group else ()
    priced = price_products(listed_products(variants), level=level_of(request), with_offers=False)
    return envelope(specs_out(product.pk, group, priced))


def _refuse_unknown(query: GoodsQuery, now: Snapshot) -> None:
    """Raise ShopError(goods_error) if a category of the query does not exist."""
    chosen = {
        pk for pk in (query.goodsTypeId, query.firstCategoryId) if pk is not None
    } - now.categories.keys()
    if chosen and Category.objects.filter(pk__in=chosen).count() < len(chosen):
        raise ShopError(Err.goods_error)


def _product_on_sale(goods_id: str) -> Product:
    """Return the product if it is on sale; raises ShopError(goods_error, goods_off_shelf)."""
    pk = path_id(goods_id, Err.goods_error)
    product = sellable_products().select_related("group").filter(pk=pk).first()
    if product is None:
        raise _missing(pk)
    return product


def _missing(pk: int) -> ShopError:
    """Return the error for a product that is not on sale."""
    return ShopError(Err.goods_off_shelf if Product.objects.filter(pk=pk).exists() else Err.goods_error)
