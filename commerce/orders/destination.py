"""Where an order goes: to a customer's address, or over the counter of a shop."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from catalog.goods.models import Product
from catalog.stock.models import Location
from commerce.accounts.models import Customer
from commerce.accounts.schemas import address_copy
from commerce.delivery.freight import Parcel, Place
from commerce.delivery.models import PickupShop, PickupSlot
from commerce.delivery.services import book_slot, freight_for
from commerce.delivery.shipping import check_agrees
from commerce.delivery.shops import shop_snapshot
from commerce.orders.payload import OrderRequest, PickUp
from core import clock
from core.errors import Err, ShopError
from core.money import ZERO


@dataclass(frozen=True)
class Destination:
    """Where the goods lie and go, in copies that outlive later changes; `freight` in dollars."""

    location: Location
    freight: Decimal
    parcels: Sequence[dict[str, Any]] = ()
    address: dict[str, Any] | None = None
    shop: dict[str, Any] | None = None
    slot: PickupSlot | None = None


def destination_of(
    *, customer: Customer, request: OrderRequest, goods: Sequence[tuple[Product, int]]
) -> Destination:
    """Find where an order goes and what that costs; a pick-up books its hour.

    Locks: the pick-up slot. Raises ShopError(address_error) for an address that is not the customer's or that
    nothing is sent to, choose_delivery for a way that does not lead there, amount_above_limit for more than
    parcels carry, stock_insufficient where no place fills deliveries, parameter_error for a shop or an hour
    that cannot be had.
    """
    if isinstance(request.to, PickUp):
        return _over_the_counter(request.to)
    address = customer.addresses.filter(pk=request.to.address_id).first()
    if address is None:
        raise ShopError(Err.address_error, fields={"deliveryAddressId": "address_error"})
    check_agrees(request.shipping_type, address.country_name)
    quote = freight_for(place=Place.of_address(address), goods=goods)
    location = Location.objects.filter(fills_deliveries=True).first()
    if location is None:
        raise ShopError(Err.stock_insufficient)
    return Destination(
        location, quote.freight, [_parcel(parcel) for parcel in quote.parcels], address=address_copy(address)
    )


def _over_the_counter(pick_up: PickUp) -> Destination:
    shop = PickupShop.objects.select_related("location").filter(pk=pick_up.shop_id).first()
    if shop is None:
        raise ShopError(Err.parameter_error, fields={"shopId": "parameter_error"})
    slot = book_slot(shop=shop, starts_at=pick_up.starts_at)
    snapshot = shop_snapshot(shop) | {"terminalDateTime": clock.to_wire(slot.starts_at)}
    return Destination(shop.location, ZERO, shop=snapshot, slot=slot)


def _parcel(parcel: Parcel) -> dict[str, Any]:
    return {"storage": parcel.storage, "weight": parcel.weight, "freight": str(parcel.freight)}
