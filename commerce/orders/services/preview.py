"""Previews an order with the functions that create orders."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal

from catalog.goods.listed import CartProduct
from commerce.accounts.models import Customer
from commerce.delivery.freight import FreightQuote, Region
from commerce.delivery.services import check_export, has_advance, quote_freight
from commerce.delivery.shipping import ShippingType, check_agrees
from commerce.ledger.models import LedgerAccount
from commerce.ledger.points import most_points, points_worth
from commerce.ledger.services import balance_of
from commerce.orders.pricing import PricedLine, gst_in_freight, points_amount, total_of, with_points
from commerce.orders.requests import Basket
from commerce.orders.services.check import CheckedBasket, check_basket, check_stock
from commerce.orders.services.wrong_codes import counting_wrong_codes
from core.errors import Err, ShopError
from core.money import CENT, ZERO


@dataclass(frozen=True)
class Preview:
    """The lines and freight of a future order; `freight` is None if the destination is unknown.

    `left_out`: gifts that cannot be sent to the destination. `without_voucher`: the same order without the
    voucher, None if there is no voucher or the destination is unknown.
    """

    lines: Sequence[PricedLine]
    freight: FreightQuote | None
    left_out: Sequence[CartProduct] = ()
    without_voucher: "Preview | None" = None
    # The points that pay for it, and the maximum number of points.
    points: int = 0
    points_usable: int = 0

    @property
    def goods_amount(self) -> Decimal:
        """The price of the products after all discounts, in dollars."""
        return total_of(self.lines)

    @property
    def pay_amount(self) -> Decimal:
        """The amount to pay, without freight if that is unknown, in dollars."""
        return total_of(self.lines, _amount(self.freight)) - self.points_amount

    @property
    def points_amount(self) -> Decimal:
        """The amount that points pay, in dollars."""
        return points_amount(self.lines)

    @property
    def discount(self) -> Decimal:
        """The discount by promotion and voucher, in dollars."""
        return sum((line.discount for line in self.lines), ZERO)

    @property
    def gst(self) -> Decimal:
        """The GST in the products' prices, in dollars."""
        return sum((line.gst for line in self.lines), ZERO)

    @property
    def freight_gst(self) -> Decimal:
        """The GST in the freight, in dollars."""
        return gst_in_freight(self.lines, self.freight.freight) if self.freight else ZERO


def preview_order(
    *,
    customer: Customer | None,
    basket: Basket,
    shipping_type: ShippingType | None,
    region: Region | None,
    voucher_code: str = "",
    points: int = 0,
) -> Preview:
    """Return the lines and sums that an order of a basket would have, without writing or reserving anything.

    See docs/wire.md#orderpreview. `shipping_type`, `region`: None if the customer has not chosen one. Raises
    ShopError(choose_delivery) if the type does not fit the region, login_required for a guest's points.
    Raises points_insufficient for too many points, too_frequent after many wrong voucher codes. Raises also
    as `points_worth`, `check_basket`, `check_stock`, `check_export`, `quote_freight` and `with_points` do.
    """
    worth = points_worth(points) if points else ZERO
    with counting_wrong_codes(customer, voucher_code):
        checked = check_basket(customer=customer, basket=basket, voucher_code=voucher_code)
    check_stock(checked)
    preview = _preview(checked, shipping_type, region)
    if customer is None:
        if points:
            raise ShopError(Err.login_required)
        return preview
    balance = balance_of(customer=customer, kind=LedgerAccount.Kind.points)
    if points > balance:
        raise ShopError(Err.points_insufficient, fields={"points": Err.points_insufficient.name})
    goods, freight = preview.goods_amount, _amount(preview.freight)
    usable = most_points(balance=balance, dollars=min(goods, goods + freight - CENT))
    lines = with_points(preview.lines, worth, freight) if points else preview.lines
    other = None
    if checked.usable and preview.freight is not None:
        # Without the discount, the order may exceed a limit of its country's customs.
        with suppress(ShopError):
            other = _preview(checked.without_voucher(), shipping_type, region)
    if other and points:
        other = replace(other, lines=with_points(other.lines, worth, _amount(other.freight)))
    return replace(preview, lines=lines, points=points, points_usable=usable, without_voucher=other)


def _amount(quote: FreightQuote | None) -> Decimal:
    return quote.freight if quote else ZERO


def _preview(checked: CheckedBasket, shipping_type: ShippingType | None, region: Region | None) -> Preview:
    if shipping_type == ShippingType.abroad or (region and region.is_abroad):
        checked = checked.exported()
    if shipping_type == ShippingType.pickup:
        return Preview(checked.lines, FreightQuote([]))
    if region is None:
        return Preview(checked.lines, None)
    if shipping_type is not None:
        check_agrees(shipping_type, region)
    try:
        return Preview(checked.lines, _quote(checked, region))
    except ShopError:
        if not checked.gifts:
            raise
        # No order may be refused because of a gift: it is left out if it cannot be sent to this address.
        left_out = [product for product, _ in checked.gifts]
        checked = checked.without_gifts()
        return Preview(checked.lines, _quote(checked, region), left_out)


def _quote(checked: CheckedBasket, region: Region) -> FreightQuote:
    check_export(country=region.export_country, goods=checked.goods)
    amount = total_of(checked.lines)
    waits = has_advance(checked.bought)
    return quote_freight(region=region, units=checked.bought, amount=amount, gifts=checked.gifts, waits=waits)
