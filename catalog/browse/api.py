"""The catalogue's calls: public, and equal for everyone but for the prices of a member level (CONTRACT 2)."""

from typing import Any

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from ninja import Router

from catalog.browse.listing import Filters, listing, on_shelves
from catalog.browse.out import (
    GALLERY,
    classify_out,
    facets_out,
    goods_detail_out,
    goods_list_out,
    spec_value_out,
)
from catalog.browse.rows import goods_rows
from catalog.browse.schemas import Classify, GoodsDetail, GoodsPage, GoodsQuery, RateOut, SpecsOut
from catalog.browse.shelves import category_tree
from catalog.browse.snapshot import Snapshot
from catalog.goods.models import Category, ExchangeRate, Product
from catalog.goods.rates import current_rate
from catalog.promotions.pricing import level_of, load_level_prices
from catalog.search.tasks import tell_unfound
from core.errors import Err, ShopError
from core.wire import Envelope, answer, envelope, path_id

router = Router()


@router.get("/v1/pc/exchangeRate", response=Envelope[RateOut])
def exchange_rate(request: HttpRequest) -> dict[str, Any]:
    """Tell how many CNY one AUD is."""
    newest = current_rate()
    return envelope(
        {
            "exchangeRate": newest.rate if newest else ExchangeRate.DEFAULT_RATE,
            "updateTime": newest.as_of if newest else None,
        }
    )


@router.get("/v1/pc/home/classify", response=Envelope[list[Classify]])
def classify(request: HttpRequest) -> dict[str, Any]:
    """List the top categories, each with those below it."""
    return envelope([classify_out(top, children) for top, children in category_tree(pictures=True)])


@router.post("/v1/pc/goods/list", response=Envelope[GoodsPage])
def goods_list(request: HttpRequest, query: GoodsQuery | None = None) -> HttpResponse:
    """List goods by brand, category, word, price and stock, with the counts of every further choice."""
    query = query or GoodsQuery()
    found = listing(_filters(query))
    _refuse_unknown(query, found.tally.now)
    if query.word and found.tally.found.is_missed:
        tell_unfound(query.word)
    start = (query.page - 1) * query.size
    products = found.rows(start, start + query.size)
    level = level_of(request)
    load_level_prices(products, level)
    return answer(
        {
            "list": goods_list_out(products, level),
            "total": len(found),
            "page": query.page,
            "size": query.size,
            "facets": facets_out(found.facets),
        }
    )


@router.get("/v1/pc/goods/{goods_id}", response=Envelope[GoodsDetail])
def goods_detail(request: HttpRequest, goods_id: str) -> HttpResponse:
    """Tell everything about one good."""
    pk = path_id(goods_id, Err.goods_error)
    for product in goods_rows([pk], whole=True):
        if product.has_gallery:
            prefetch_related_objects([product], GALLERY)
        return answer(goods_detail_out(product, level_of(request)))
    raise _missing(pk)


@router.get("/v1/pc/spec/{goods_id}", response=Envelope[SpecsOut])
def specs(request: HttpRequest, goods_id: str) -> dict[str, Any]:
    """List the variants of a good, itself among them; none for a good that has no others."""
    product = _good(goods_id)
    group = product.group
    variants = list(on_shelves().filter(group=group).order_by("net_weight", "pk")) if group else []
    level = level_of(request)
    load_level_prices(variants, level)
    values = [spec_value_out(variant, level) for variant in variants]
    spec = group and {"specName": group.name_zh, "specNameEn": group.name_en, "values": values}
    return envelope({"goodsId": product.pk, "specs": [spec] if spec else []})


def _filters(query: GoodsQuery) -> Filters:
    order_by = query.orderBy or ""
    return Filters(
        brand_names=tuple(dict.fromkeys(filter(None, query.brandName))),
        category_id=query.goodsTypeId,
        first_category_id=query.firstCategoryId,
        word=query.word or "",
        stock_type=query.stockType or "",
        storage=query.storage or "",
        bulk=bool(query.bulk),
        promotion_id=query.promotion,
        min_price=query.minPrice,
        max_price=query.maxPrice,
        order_by=order_by,
        ascending=order_by == "price" if query.isAsc is None else query.isAsc,
    )


def _refuse_unknown(query: GoodsQuery, now: Snapshot) -> None:
    """Raise ShopError(goods_error) for a category that does not exist."""
    chosen = {
        pk for pk in (query.goodsTypeId, query.firstCategoryId) if pk is not None
    } - now.categories.keys()
    if chosen and Category.objects.filter(pk__in=chosen).count() < len(chosen):
        raise ShopError(Err.goods_error)


def _good(goods_id: str) -> Product:
    """Return a good on sale; raises ShopError(goods_error, goods_off_shelf)."""
    pk = path_id(goods_id, Err.goods_error)
    product = on_shelves().select_related("group").filter(pk=pk).first()
    if product is None:
        raise _missing(pk)
    return product


def _missing(pk: int) -> ShopError:
    """Return what is to be said of a good that is not on sale."""
    return ShopError(Err.goods_off_shelf if Product.objects.filter(pk=pk).exists() else Err.goods_error)
