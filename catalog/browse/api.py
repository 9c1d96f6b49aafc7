"""The catalogue's calls; all are public and equal for everyone (CONTRACT 2)."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from catalog.browse.listing import Filters, facets, listing
from catalog.browse.out import classify_out, facets_out, goods_detail_out, goods_out, spec_value_out
from catalog.browse.schemas import Classify, GoodsDetail, GoodsPage, GoodsQuery, RateOut, SpecsOut
from catalog.browse.shelves import category_tree
from catalog.goods.models import Category, ExchangeRate, Product
from catalog.goods.rates import current_rate
from core.errors import Err, ShopError
from core.wire import Envelope, envelope, paged, path_id

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
def goods_list(request: HttpRequest, query: GoodsQuery | None = None) -> dict[str, Any]:
    """List goods by brand, category, word and stock, with the counts of every further choice."""
    query = query or GoodsQuery()
    filters = _filters(query)
    page = paged(listing(filters), query)
    page["list"] = [goods_out(product) for product in page["list"]]
    return envelope(page | {"facets": facets_out(facets(filters))})


@router.get("/v1/pc/goods/{goods_id}", response=Envelope[GoodsDetail])
def goods_detail(request: HttpRequest, goods_id: str) -> dict[str, Any]:
    """Tell everything about one good."""
    return envelope(goods_detail_out(_good(goods_id)))


@router.get("/v1/pc/spec/{goods_id}", response=Envelope[SpecsOut])
def specs(request: HttpRequest, goods_id: str) -> dict[str, Any]:
    """List the variants of a good, itself among them; none for a good that has no others."""
    product = _good(goods_id)
    group = product.group
    variants = listing(Filters()).filter(group=group).order_by("net_weight", "pk") if group else ()
    values = [spec_value_out(variant) for variant in variants]
    spec = group and {"specName": group.name_zh, "specNameEn": group.name_en, "values": values}
    return envelope({"goodsId": product.pk, "specs": [spec] if spec else []})


def _filters(query: GoodsQuery) -> Filters:
    """Read the filters of a request; raises ShopError(goods_error) for a category that does not exist."""
    chosen = {pk for pk in (query.goodsTypeId, query.firstCategoryId) if pk is not None}
    if chosen and Category.objects.filter(pk__in=chosen).count() < len(chosen):
        raise ShopError(Err.goods_error)
    order_by = query.orderBy or ""
    return Filters(
        brand_names=tuple(dict.fromkeys(filter(None, query.brandName))),
        category_id=query.goodsTypeId,
        first_category_id=query.firstCategoryId,
        word=query.word or "",
        stock_type=query.stockType or "",
        order_by=order_by,
        ascending=order_by == "price" if query.isAsc is None else query.isAsc,
    )


def _good(goods_id: str) -> Product:
    """Return a good on sale; raises ShopError(goods_error, goods_off_shelf)."""
    pk = path_id(goods_id, Err.goods_error)
    product = listing(Filters()).select_related("group").filter(pk=pk).first()
    if product is None:
        is_known = Product.objects.filter(pk=pk).exists()
        raise ShopError(Err.goods_off_shelf if is_known else Err.goods_error)
    return product
