"""Checks which pay types fit a purchase: pure rules, without queries (docs/wire.md#paytypes)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from commerce.delivery.shipping import ShippingType
from commerce.delivery.territories import HOME_COUNTRY
from commerce.orders.models import Order
from commerce.payments.hold_times import CASH, TRANSFER
from commerce.payments.models import PayType
from core.clock import shop_zone
from core.countries import country_codes


@dataclass(frozen=True)
class Purchase:
    """What is to be paid, as far as it is known: None restricts nothing.

    `amount`: AUD. `country`: two letters, or a name that no pay type knows; for a pick-up it is Australia.
    `starts_at`: when its pick-up hour or delivery window begins; `has_no_slot`: True if it has neither.
    """

    amount: Decimal | None = None
    country: str | None = None
    shipping_type: int | None = None
    starts_at: datetime | None = None
    has_no_slot: bool = False


def purchase_of(order: Order, amount: Decimal | None) -> Purchase:
    """Return the purchase of an order; `amount`: AUD that the pay type pays of it."""
    name = order.address["countryName"] if order.address else None
    country = country_codes().get(name, name) if name else None
    has_no_slot = order.pickup_slot_id is None and order.delivery_slot_id is None
    return Purchase(amount, country, order.shipping_type, has_no_slot=has_no_slot)


def fits(pay_type: PayType, purchase: Purchase) -> bool:
    """Return True if a pay type's restrictions allow a purchase, whether or not it is offered."""
    return (
        _takes_amount(pay_type, purchase.amount)
        and _takes_country(pay_type, purchase)
        and _takes_shipping(pay_type, purchase.shipping_type)
        and not lacks_slot_for_cash(pay_type, purchase)
    )


def lacks_slot_for_cash(pay_type: PayType, purchase: Purchase) -> bool:
    """Return True if no store and no van of the shop could take the cash of a purchase.

    A parcel service takes none, so cash needs a pick-up, or a delivery window of the van.
    """
    if pay_type.code != CASH or purchase.shipping_type is None:
        return False
    is_by_van = purchase.shipping_type == ShippingType.domestic and not purchase.has_no_slot
    return purchase.shipping_type != ShippingType.pickup and not is_by_van


def may_come_too_late(pay_type: PayType, purchase: Purchase) -> bool:
    """Return True if a transfer, which takes a day, may arrive after the purchase's hour or window begins."""
    if pay_type.code != TRANSFER or purchase.starts_at is None:
        return False
    tomorrow = timezone.localdate(timezone=shop_zone()) + timedelta(days=1)
    return timezone.localdate(purchase.starts_at, shop_zone()) <= tomorrow


def _takes_amount(pay_type: PayType, amount: Decimal | None) -> bool:
    if amount is None:
        return True
    is_enough = pay_type.from_amount is None or amount >= pay_type.from_amount
    return is_enough and (pay_type.to_amount is None or amount <= pay_type.to_amount)


def _takes_country(pay_type: PayType, purchase: Purchase) -> bool:
    is_pickup = purchase.shipping_type == ShippingType.pickup
    country = country_codes()[HOME_COUNTRY] if is_pickup else purchase.country
    return country is None or not pay_type.country_codes or country in pay_type.country_codes


def _takes_shipping(pay_type: PayType, shipping_type: int | None) -> bool:
    if shipping_type is None:
        return True
    taken = {
        ShippingType.domestic: pay_type.for_domestic,
        ShippingType.abroad: pay_type.for_abroad,
        ShippingType.pickup: pay_type.for_pickup,
    }
    return taken[ShippingType(shipping_type)]
