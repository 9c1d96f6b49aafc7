"""The public calls for promotions (docs/wire.md#actiontypelist)."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from catalog.browse.promotions import products_of, running, running_promotion
from catalog.browse.schemas import GoodsOut, PromotionOut
from catalog.browse.serializers import goods_out, promotion_out
from catalog.promotions.pricing import level_of, price_products
from core.errors import Err, ShopError
from core.wire import Envelope, Page, PageQuery, envelope, paged, path_id

router = Router()


@router.get("/v1/pc/actionType/list", response=Envelope[list[PromotionOut]])
def promotions(request: HttpRequest) -> dict[str, Any]:
    """List the running promotions; the one that ends first is first."""
    return envelope([promotion_out(promotion) for promotion in running()])


@router.get("/v1/pc/action/list/{promotion_id}", response=Envelope[Page[GoodsOut]])
def promotion_goods(request: HttpRequest, promotion_id: str, query: Query[PageQuery]) -> dict[str, Any]:
    """List the products of a running promotion at its prices."""
    promotion = running_promotion(path_id(promotion_id, Err.parameter_error))
    if promotion is None:
        raise ShopError(Err.parameter_error)
    page = paged(products_of(promotion), query)
    products = [product for product, _offer in page["list"]]
    offers = [offer for _product, offer in page["list"]]
    priced = price_products(products, level=level_of(request), with_offers=False)
    offered = [product.at_offer(offer) for product, offer in zip(priced, offers, strict=True)]
    return envelope(page | {"list": [goods_out(product) for product in offered]})
