"""Where an order goes: to a customer's address, or a shop where it is picked up."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from catalog.goods.listed import CartProduct
from catalog.stock.models import Location
from commerce.accounts.models import Customer
from commerce.accounts.serializers import address_copy
from commerce.delivery.freight import Region
from commerce.delivery.models import PickupShop, PickupSlot
from commerce.delivery.serializers import parcel_copy, shop_copy
from commerce.delivery.services import (
    BookedWindow,
    book_slot,
    book_window,
    check_export,
    check_goes_by_van,
    quote_freight,
)
from commerce.delivery.shipping import check_agrees
from commerce.orders.requests import Fulfilment, PickUp
from commerce.orders.services.id_cards import needed_id_card
from core import clock
from core.errors import Err, ShopError
from core.money import ZERO
from core.snapshots import SharedRows

# The location that fills deliveries, None where there is none; a query in SNAPSHOT_SECONDS.
_delivery_location = SharedRows(lambda: Location.objects.filter(fills_deliveries=True).first(), Location)


@dataclass(frozen=True)
class Destination:
    """Where products are taken from and go, in copies that outlive later changes; `freight` in dollars.

    `id_card`: the number of the recipient where customs ask for it, else empty.
    """

    location: Location
    freight: Decimal
    parcels: Sequence[dict[str, Any]] = ()
    address: dict[str, Any] | None = None
    shop: dict[str, Any] | None = None
    slot: PickupSlot | None = None
    window: BookedWindow | None = None
    leave_at_door: bool = False
    id_card: str = field(default="", repr=False)


def find_destination(
    *,
    customer: Customer,
    fulfilment: Fulfilment,
    goods: Sequence[tuple[CartProduct, int, Decimal]],
) -> Destination:
    """Find where an order goes and what that costs; a pick-up books its hour, the van its window.

    `goods`: products with their units and what these cost, in dollars, after promotions and vouchers.
    Locks: the slot of the hour or the window. Raises ShopError(address_error) for an address that is not the
    customer's or that nothing is sent to, choose_delivery for a type that does not fit it, id_card_error
    where customs ask for an ID card, amount_above_limit for more than parcels carry, stock_insufficient where
    no place fills deliveries, parameter_error for a shop, an hour or a window that cannot be had, and as
    `check_export` does.
    """
    if isinstance(fulfilment, PickUp):
        return _pick_up(fulfilment)
    address = customer.addresses.filter(pk=fulfilment.address_id).first()
    if address is None:
        raise ShopError(Err.address_error, fields={"deliveryAddressId": "address_error"})
    check_agrees(fulfilment.shipping_type, address.country_name)
    check_export(country=address.country_name, goods=goods)
    id_card = needed_id_card(delivery=fulfilment, address=address)
    region = Region.of_address(address)
    units = [(product, count) for product, count, _ in goods]
    quote = quote_freight(region=region, units=units, amount=sum((value for _, _, value in goods), ZERO))
    location = _delivery_location.get()
    if location is None:
        raise ShopError(Err.stock_insufficient)
    window = None
    if fulfilment.window is not None:
        check_goes_by_van(region=region, units=units)
        window = book_window(starts_at=fulfilment.window)
    return Destination(
        location,
        quote.freight,
        [parcel_copy(parcel) for parcel in quote.parcels],
        address=address_copy(address),
        window=window,
        leave_at_door=fulfilment.leave_at_door,
        id_card=id_card,
    )


def _pick_up(pick_up: PickUp) -> Destination:
    shop = PickupShop.objects.select_related("location").filter(pk=pick_up.shop_id).first()
    if shop is None:
        raise ShopError(Err.parameter_error, fields={"shopId": "parameter_error"})
    slot = book_slot(shop=shop, starts_at=pick_up.starts_at)
    snapshot = shop_copy(shop) | {"terminalDateTime": clock.to_wire(slot.starts_at)}
    return Destination(shop.location, ZERO, shop=snapshot, slot=slot)
