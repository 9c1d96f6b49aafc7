"""Tells what an order would hold, by the functions that make it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from commerce.accounts.models import Customer
from commerce.delivery.freight import FreightQuote, Region
from commerce.delivery.services import check_export, quote_freight
from commerce.delivery.shipping import HOME_COUNTRY, ShippingType, check_agrees
from commerce.orders.pricing import PricedLine, gst_in_freight, total_of
from commerce.orders.requests import Basket
from commerce.orders.services.check import GiftsInTheWayError, check_basket, check_stock
from commerce.orders.services.wrong_codes import counting_wrong_codes
from core.money import ZERO


@dataclass(frozen=True)
class Preview:
    """The lines of an order to come, and its freight, None while it is not known where it goes."""

    lines: Sequence[PricedLine]
    freight: FreightQuote | None

    @property
    def goods_amount(self) -> Decimal:
        """What the products cost after all discounts, in dollars."""
        return total_of(self.lines)

    @property
    def pay_amount(self) -> Decimal:
        """What is to be paid, without freight while that is unknown, in dollars."""
        return total_of(self.lines, self.freight.freight if self.freight else ZERO)

    @property
    def discount(self) -> Decimal:
        """What promotion and voucher take off, in dollars."""
        return sum((line.discount for line in self.lines), ZERO)

    @property
    def gst(self) -> Decimal:
        """The tax in the products' prices, in dollars."""
        return sum((line.gst for line in self.lines), ZERO)

    @property
    def freight_gst(self) -> Decimal:
        """The tax in the freight, in dollars."""
        return gst_in_freight(self.lines, self.freight.freight) if self.freight else ZERO


def preview_order(
    *,
    customer: Customer | None,
    basket: Basket,
    shipping_type: ShippingType | None,
    region: Region | None,
    voucher_code: str = "",
) -> Preview:
    """Tell what an order of a basket would hold (docs/wire.md#orderpreview); nothing is written or reserved.

    `shipping_type`, `region`: None where the customer has not said. Raises ShopError(choose_delivery) for a
    way that does not lead to the region, and as `check_basket`, `check_stock`, `check_export` and
    `quote_freight` do; too_frequent for a customer who tries many wrong voucher codes.
    """
    try:
        return _preview(customer, basket, shipping_type, region, voucher_code, with_gifts=True)
    except GiftsInTheWayError:
        return _preview(customer, basket, shipping_type, region, voucher_code, with_gifts=False)


def _preview(
    customer: Customer | None,
    basket: Basket,
    shipping_type: ShippingType | None,
    region: Region | None,
    voucher_code: str,
    *,
    with_gifts: bool,
) -> Preview:
    with counting_wrong_codes(customer, voucher_code):
        checked = check_basket(
            customer=customer, basket=basket, voucher_code=voucher_code, with_gifts=with_gifts
        )
    check_stock(checked)
    if shipping_type == ShippingType.abroad or (region and region.country != HOME_COUNTRY):
        checked = checked.exported()
    if shipping_type == ShippingType.pickup:
        return Preview(checked.lines, FreightQuote([]))
    if region is None:
        return Preview(checked.lines, None)
    if shipping_type is not None:
        check_agrees(shipping_type, region.country)
    with checked.telling_of_gifts():
        check_export(country=region.country, goods=checked.goods)
        quote = quote_freight(region=region, units=checked.units, amount=total_of(checked.lines))
    return Preview(checked.lines, quote)
