"""Amounts of refunds by line and freight, to the cent (docs/guarantees/money.md#refunds-of-orders).

Rules without queries. All units of a line together give back exactly what was paid for it, and the tax of all
its refunds is the tax of the line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from commerce.orders.models import Order, OrderLine
from commerce.orders.status import PAID_CODES, OrderStatus
from core.errors import Err, ShopError
from core.money import CENT, ZERO, aud


@dataclass(frozen=True)
class LineWish:
    """What staff want to give back of a line: units, or dollars for none, and how many go back into stock.

    `amount`: dollars, at most what the units are worth; None for all of that.
    """

    line_id: int
    units: int = 0
    amount: Decimal | None = None
    restocked: int = 0


class FreightPart(models.TextChoices):
    """How much of the freight goes back."""

    none = "none", pgettext_lazy("freight that goes back", "None")
    share = "share", _("The products’ share")
    all = "all", _("All that is left")


@dataclass(frozen=True)
class RefundedLine:
    """What is given back of a line: units, dollars, and the tax in these."""

    line: OrderLine
    units: int
    amount: Decimal
    gst: Decimal
    restocked: int


@dataclass(frozen=True)
class PricedRefund:
    """What is given back of an order, in dollars."""

    lines: Sequence[RefundedLine]
    freight_amount: Decimal
    freight_gst: Decimal

    @property
    def goods_amount(self) -> Decimal:
        """What is given back of the products."""
        return sum((line.amount for line in self.lines), ZERO)

    @property
    def gst(self) -> Decimal:
        """The tax in what is given back of the products."""
        return sum((line.gst for line in self.lines), ZERO)

    @property
    def amount(self) -> Decimal:
        """All that is given back."""
        return self.goods_amount + self.freight_amount


def price_refund(
    *, order: Order, lines: Sequence[OrderLine], wishes: Sequence[LineWish], freight: FreightPart
) -> PricedRefund:
    """Return what the wishes of staff give back of an order and its lines, as these are now.

    Raises ShopError(refund_above_paid) beyond what is left of a line, nothing_to_refund where nothing is,
    parameter_error for a line of another order, or for numbers that make no sense.
    """
    by_id, named = {line.pk: line for line in lines}, {wish.line_id for wish in wishes}
    if len(named) < len(wishes) or not named <= by_id.keys():
        raise ShopError(Err.parameter_error)
    refunded = [priced for wish in wishes if (priced := _refunded(by_id[wish.line_id], wish))]
    goods = sum((line.amount for line in refunded), ZERO)
    freight_amount = freight_worth(order, freight, lines=lines, goods=goods)
    # Units that points alone have paid for go back without money.
    if not refunded and freight_amount <= ZERO:
        raise ShopError(Err.nothing_to_refund)
    freight_gst = share_of(
        order.freight_gst, whole=order.freight, before=order.refunded_freight, amount=freight_amount
    )
    return PricedRefund(refunded, freight_amount, freight_gst)


def units_worth(line: OrderLine, units: int) -> Decimal:
    """Return what further units of a line are worth: what was paid for them and is not given back yet.

    Cents that cannot be shared go to the first units. `units`: at most those not given back.
    """
    cents, rest = divmod(int(line.in_money / CENT), line.amount)
    first, last = line.refunded_units, line.refunded_units + units
    paid = (cents * units + min(last, rest) - min(first, rest)) * CENT
    return min(paid, amount_left(line))


def amount_left(line: OrderLine) -> Decimal:
    """Return what was paid for a line and is not given back yet, in dollars."""
    return line.in_money - line.refunded_amount


def freight_worth(order: Order, part: FreightPart, *, lines: Sequence[OrderLine], goods: Decimal) -> Decimal:
    """Return how much of an order's freight a part of it is.

    `goods`: what is given back of its lines now; the share of all that was paid for them is all the freight.
    """
    left = order.freight - order.refunded_freight
    if part == FreightPart.none:
        return ZERO
    if part == FreightPart.all:
        return left
    paid = sum((line.in_money for line in lines), ZERO)
    before = sum((line.refunded_amount for line in lines), ZERO)
    return min(left, share_of(order.freight, whole=paid, before=before, amount=goods))


def proposed_freight(order: Order, *, is_whole: bool) -> FreightPart:
    """Return how much of the freight the form proposes: all of it with a whole order that was not sent."""
    is_unsent = order.status in PAID_CODES | {OrderStatus.ready}
    return FreightPart.all if is_whole and is_unsent else FreightPart.none


def share_of(part: Decimal, *, whole: Decimal, before: Decimal, amount: Decimal) -> Decimal:
    """Return an amount's share of a part of the whole, such as the tax in it, in dollars.

    `before`: what of the whole was shared before; the shares of all amounts add up to the part.
    """
    if not whole:
        return ZERO
    return aud(part * (before + amount) / whole) - aud(part * before / whole)


def allocate(amount: Decimal, left: Mapping[int, Decimal]) -> dict[int, Decimal]:
    """Take an amount from what is left of payments, in their order; returns how much of each.

    `left`: pk of a payment → dollars. Raises ShopError(refund_above_paid) where it is not enough.
    """
    taken = {}
    for pk, most in left.items():
        if part := min(amount, most):
            taken[pk] = part
            amount -= part
    if amount:
        raise ShopError(Err.refund_above_paid)
    return taken


def _refunded(line: OrderLine, wish: LineWish) -> RefundedLine | None:
    """Return what a wish gives back of its line; None where it is nothing. Raises as `price_refund`."""
    if wish.units < 0 or not 0 <= wish.restocked <= wish.units:
        raise ShopError(Err.parameter_error)
    if wish.units > line.amount - line.refunded_units:
        raise ShopError(Err.refund_above_paid)
    most = units_worth(line, wish.units) if wish.units else amount_left(line)
    amount = wish.amount
    if amount is None:
        amount = most if wish.units else ZERO
    if amount < ZERO or amount != aud(amount):
        raise ShopError(Err.parameter_error)
    if amount > most:
        raise ShopError(Err.refund_above_paid)
    if not wish.units and not amount:
        return None
    gst = share_of(line.gst, whole=line.in_money, before=line.refunded_amount, amount=amount)
    return RefundedLine(line, wish.units, aud(amount), gst, wish.restocked)
