"""Finds the destination of an order: an address of the customer, or a pick-up shop."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext

from catalog.goods.listed import CartProduct
from catalog.stock.models import Location
from commerce.accounts.models import Address, Customer
from commerce.accounts.serializers import address_copy
from commerce.delivery.boxes import is_po_box
from commerce.delivery.freight import COLD, Region
from commerce.delivery.models import PickupShop, PickupSlot
from commerce.delivery.serializers import parcel_copy, shop_copy
from commerce.delivery.services import (
    BookedWindow,
    book_slot,
    book_window,
    check_export,
    check_goes_by_van,
    has_advance,
    quote_freight,
)
from commerce.delivery.shipping import check_agrees
from commerce.orders.requests import Fulfilment, PickUp
from commerce.orders.services.id_cards import needed_id_card
from core import clock
from core.errors import Err, ShopError
from core.languages import in_both_languages
from core.money import ZERO
from core.snapshots import SharedRows

# The location that fills deliveries, None if there is none; one query every SNAPSHOT_SECONDS.
_delivery_location = SharedRows(lambda: Location.objects.filter(fills_deliveries=True).first(), Location)


@dataclass(frozen=True)
class Destination:
    """The source and destination of an order's products, as copies for the order; `freight` in dollars.

    `is_abroad`: whether the order is an export. `id_card`: the recipient's number if customs require it,
    otherwise empty.
    """

    location: Location
    freight: Decimal
    parcels: Sequence[dict[str, Any]] = ()
    address: dict[str, Any] | None = None
    shop: dict[str, Any] | None = None
    slot: PickupSlot | None = None
    window: BookedWindow | None = None
    leave_at_door: bool = False
    is_abroad: bool = False
    id_card: str = field(default="", repr=False)


def find_destination(
    *,
    customer: Customer,
    fulfilment: Fulfilment,
    goods: Sequence[tuple[CartProduct, int, Decimal]],
    bought: Sequence[tuple[CartProduct, int]],
    gifts: Sequence[tuple[CartProduct, int]],
) -> Destination:
    """Find an order's destination and freight; book its pick-up slot or delivery window, if it has one.

    `goods`: products, units, and the price of these units after promotions and vouchers, in dollars; they are
    `bought` and `gifts` together, which pay no freight.
    Locks: the row of the slot or window. Raises ShopError(address_error) if the address is not the customer's
    or has no delivery, or if it is a PO box and a product must stay cold. Raises choose_delivery if the type
    does not fit it, and as `check_export` does. Raises id_card_error if customs require a valid ID card,
    amount_above_limit for too many parcels, stock_insufficient if no location fills deliveries. Raises
    parameter_error if the shop, slot or window is not available.
    """
    if isinstance(fulfilment, PickUp):
        return _pick_up(fulfilment)
    address = customer.addresses.filter(pk=fulfilment.address_id).first()
    if address is None:
        raise ShopError(Err.address_error, fields={"deliveryAddressId": "address_error"})
    region = Region.of_address(address)
    check_agrees(fulfilment.shipping_type, region)
    _check_street(address, goods)
    check_export(country=region.export_country, goods=goods)
    id_card = needed_id_card(delivery=fulfilment, address=address)
    amount = sum((value for _, _, value in goods), ZERO)
    waits = has_advance(bought)
    quote = quote_freight(region=region, units=bought, amount=amount, gifts=gifts, waits=waits)
    location = _delivery_location.get()
    if location is None:
        raise ShopError(Err.stock_insufficient)
    window = None
    if fulfilment.window is not None:
        check_goes_by_van(region=region, units=[(product, count) for product, count, _ in goods])
        window = book_window(starts_at=fulfilment.window)
    return Destination(
        location,
        quote.freight,
        [parcel_copy(parcel) for parcel in quote.parcels],
        address=address_copy(address),
        window=window,
        leave_at_door=fulfilment.leave_at_door,
        is_abroad=region.is_abroad,
        id_card=id_card,
    )


def _check_street(address: Address, goods: Sequence[tuple[CartProduct, int, Decimal]]) -> None:
    """Raise ShopError(address_error) if a product that must stay cold would go to a PO box."""
    if is_po_box(address.address_detail) and any(product.storage in COLD for product, _, _ in goods):
        why = in_both_languages(
            lambda: gettext(
                "Chilled and frozen products need a street address, not a PO box or parcel locker."
            )
        )
        raise ShopError(Err.address_error, fields={"deliveryAddressId": "address_error"}, why=why)


def _pick_up(pick_up: PickUp) -> Destination:
    shop = PickupShop.objects.select_related("location").filter(pk=pick_up.shop_id).first()
    if shop is None:
        raise ShopError(Err.parameter_error, fields={"shopId": "parameter_error"})
    slot = book_slot(shop=shop, starts_at=pick_up.starts_at)
    snapshot = shop_copy(shop) | {"terminalDateTime": clock.to_wire(slot.starts_at)}
    return Destination(shop.location, ZERO, shop=snapshot, slot=slot)
