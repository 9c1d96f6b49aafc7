"""What sending costs, and where goods can be picked up (CONTRACT 4)."""

from typing import Any

from django.http import HttpRequest
from django.utils import translation
from ninja import Router

from commerce.accounts.auth import token_auth
from commerce.delivery import services
from commerce.delivery.freight import FreightQuote, Place
from commerce.delivery.schemas import FreightOut, FreightQuery, ShopOut
from commerce.delivery.shipping import ShippingType, check_agrees, read_shipping_type
from commerce.delivery.shops import open_shops, read_goods
from core.client import client_language
from core.wire import Envelope, envelope

router = Router()


@router.post("/v1/pc/common/freight", response=Envelope[FreightOut], auth=token_auth)
def quote_freight(request: HttpRequest, query: FreightQuery) -> dict[str, Any]:
    """Tell what sending goods to an address costs; picking them up costs nothing."""
    shipping_type = read_shipping_type(query.shippingType or "")
    if shipping_type == ShippingType.pickup:
        services.goods_of(query.orderGoods or [])
        return envelope(_freight_out(FreightQuote([])))
    place = Place.from_wire(query.address or "")
    goods = services.goods_of(query.orderGoods or [])
    check_agrees(shipping_type, place.country)
    return envelope(_freight_out(services.freight_for(place=place, goods=goods)))


@router.get("/v1/pc/shops", response=Envelope[list[ShopOut]])
def shops(request: HttpRequest, goods: str = "") -> dict[str, Any]:
    """List the pick-up shops and their free hours; `goods` as `101:2,102:1` asks which shops have them."""
    wanted = read_goods(goods)
    with translation.override(client_language(request)):
        return envelope(open_shops(wanted))


def _freight_out(quote: FreightQuote) -> dict[str, Any]:
    parcels = [{"storage": p.storage, "weight": p.weight, "freight": p.freight} for p in quote.parcels]
    return {"freight": quote.freight, "parcels": parcels}
