"""The API of delivery costs, delivery windows and pick-up shops (docs/wire.md#orders)."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from ninja import Router

from catalog.promotions.pricing import level_of
from commerce.delivery import services
from commerce.delivery.freight import FreightQuote, Region
from commerce.delivery.schemas import (
    ArrivalOut,
    FreightOut,
    FreightQuery,
    ShopOut,
    WindowsOut,
    WindowsQuery,
    read_units,
)
from commerce.delivery.serializers import arrival_out, freight_out, open_shop_out, windows_out
from commerce.delivery.shipping import ShippingType, check_agrees, read_shipping_type
from core.client import client_language
from core.money import ZERO
from core.wire import Envelope, answer, envelope

router = Router()


@router.post("/v1/pc/common/freight", response=Envelope[FreightOut])
def quote_freight(request: HttpRequest, query: FreightQuery) -> HttpResponse:
    """Return the delivery cost of products to an address; picking them up costs nothing."""
    shipping_type = read_shipping_type(query.shippingType or "")
    units_by_product = query.units_by_product()
    if shipping_type == ShippingType.pickup:
        services.find_products(units_by_product=units_by_product)
        return answer(freight_out(FreightQuote([])))
    region = Region.from_wire(query.address or "")
    units = services.find_products(units_by_product=units_by_product)
    check_agrees(shipping_type, region)
    goods = services.ordinary_amounts(units=units, level=level_of(request))
    services.check_export(country=region.export_country, goods=goods)
    amount = sum((value for _, _, value in goods), ZERO)
    waits = services.has_advance(units)
    quote = services.quote_freight(region=region, units=units, amount=amount, waits=waits)
    return answer(freight_out(quote))


@router.post("/v1/pc/common/deliverySlots", response=Envelope[WindowsOut])
def delivery_slots(request: HttpRequest, query: WindowsQuery) -> dict[str, Any]:
    """List the delivery windows of the van for products and an address."""
    region = Region.from_wire(query.address or "")
    units = services.find_products(units_by_product=query.units_by_product())
    return envelope(windows_out(services.free_windows(region=region, units=units)))


@router.post("/v1/pc/common/arrival", response=Envelope[ArrivalOut])
def arrival(request: HttpRequest, query: WindowsQuery) -> dict[str, Any]:
    """Return when products arrive at an address, and when they can be picked up; both are optional."""
    region = Region.from_wire(query.address) if query.address else None
    units_by_product = query.units_by_product()
    units = services.find_products(units_by_product=units_by_product) if units_by_product else []
    return envelope(arrival_out(services.next_arrival(region=region, units=units)))


@router.get("/v1/pc/shops", response=Envelope[list[ShopOut]])
def shops(request: HttpRequest, goods: str = "") -> dict[str, Any]:
    """List the pick-up shops, their free hours, and whether they have `goods`, such as `101:2,102:1`."""
    shops = services.open_shops(units_by_product=read_units(goods))
    with translation.override(client_language(request)):
        return envelope([open_shop_out(shop) for shop in shops])
