"""The calls of promotions: public (CONTRACT 2)."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from catalog.browse.out import goods_at_offer_out
from catalog.browse.promotions import goods_of, running, running_promotion
from catalog.browse.schemas import GoodsOut, PromotionOut
from catalog.promotions.models import Promotion
from catalog.promotions.pricing import level_of, load_level_prices
from core.clock import to_wire
from core.errors import Err, ShopError
from core.pictures import picture_url
from core.wire import Envelope, Page, PageQuery, envelope, paged, path_id

router = Router()


@router.get("/v1/pc/actionType/list", response=Envelope[list[PromotionOut]])
def promotions(request: HttpRequest) -> dict[str, Any]:
    """List the promotions that run now, the one that ends first at the front."""
    return envelope([_promotion_out(promotion) for promotion in running()])


@router.get("/v1/pc/action/list/{promotion_id}", response=Envelope[Page[GoodsOut]])
def promotion_goods(request: HttpRequest, promotion_id: str, query: Query[PageQuery]) -> dict[str, Any]:
    """List the goods of a running promotion at its prices."""
    promotion = running_promotion(path_id(promotion_id, Err.parameter_error))
    if promotion is None:
        raise ShopError(Err.parameter_error)
    page = paged(goods_of(promotion), query)
    level = level_of(request)
    load_level_prices([product for product, _offer in page["list"]], level)
    return envelope(
        page | {"list": [goods_at_offer_out(product, offer, level) for product, offer in page["list"]]}
    )


def _promotion_out(promotion: Promotion) -> dict[str, Any]:
    return {
        "goodsActionTypeId": promotion.pk,
        "goodsActionTypeName": promotion.name_zh,
        "goodsActionTypeNameEn": promotion.name_en,
        "imgUrl": picture_url(promotion.picture),
        "startTime": to_wire(promotion.starts_at),
        "endTime": to_wire(promotion.ends_at),
        "endTimeIso": promotion.ends_at,
    }
