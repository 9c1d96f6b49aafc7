"""Amounts of refunds by line and freight, to the cent (docs/guarantees/money.md#refunds-of-orders).

Rules without queries. The refunds of all units of a line add up to exactly what was paid for it, and their
tax to the line's tax.
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
    """What staff want to refund of a line: units, or only dollars, and how many units are restocked.

    `amount`: dollars, at most the worth of the units; None for all of that.
    """

    line_id: int
    units: int = 0
    amount: Decimal | None = None
    restocked: int = 0


class FreightPart(models.TextChoices):
    """How much of the freight is refunded."""

    none = "none", pgettext_lazy("freight that goes back", "None")
    share = "share", _("The products’ share")
    all = "all", _("All that is left")


@dataclass(frozen=True)
class RefundedLine:
    """What is refunded of a line: units, dollars, and the tax in the dollars."""

    line: OrderLine
    units: int
    amount: Decimal
    gst: Decimal
    restocked: int


@dataclass(frozen=True)
class PricedRefund:
    """What is refunded of an order, in dollars."""

    lines: Sequence[RefundedLine]
    freight_amount: Decimal
    freight_gst: Decimal

    @property
    def goods_amount(self) -> Decimal:
        """The refunded amount of the products."""
        return sum((line.amount for line in self.lines), ZERO)

    @property
    def gst(self) -> Decimal:
        """The tax in the refunded amount of the products."""
        return sum((line.gst for line in self.lines), ZERO)

    @property
    def amount(self) -> Decimal:
        """The whole refunded amount."""
        return self.goods_amount + self.freight_amount


def price_refund(
    *, order: Order, lines: Sequence[OrderLine], wishes: Sequence[LineWish], freight: FreightPart
) -> PricedRefund:
    """Return what the wishes of staff refund of an order and its lines, as these are now.

    Raises ShopError(refund_above_paid) for more than is left of a line; nothing_to_refund for an empty
    refund; parameter_error for a line of another order or invalid numbers.
    """
    by_id, named = {line.pk: line for line in lines}, {wish.line_id for wish in wishes}
    if len(named) < len(wishes) or not named <= by_id.keys():
        raise ShopError(Err.parameter_error)
    refunded = [priced for wish in wishes if (priced := _refunded(by_id[wish.line_id], wish))]
    goods = sum((line.amount for line in refunded), ZERO)
    freight_amount = freight_worth(order, freight, lines=lines, goods=goods)
    # Units that were paid by points alone are refunded without money.
    if not refunded and freight_amount <= ZERO:
        raise ShopError(Err.nothing_to_refund)
    freight_gst = share_of(
        order.freight_gst, whole=order.freight, before=order.refunded_freight, amount=freight_amount
    )
    return PricedRefund(refunded, freight_amount, freight_gst)


def units_worth(line: OrderLine, units: int) -> Decimal:
    """Return what the next units of a line are worth: the amount paid for them, as far as it is left.

    Cents that cannot be shared equally go to the first units. `units`: at most those that are not refunded.
    """
    cents, rest = divmod(int(line.in_money / CENT), line.amount)
    first, last = line.refunded_units, line.refunded_units + units
    paid = (cents * units + min(last, rest) - min(first, rest)) * CENT
    return min(paid, amount_left(line))


def amount_left(line: OrderLine) -> Decimal:
    """Return the paid and not yet refunded amount of a line, in dollars."""
    return line.in_money - line.refunded_amount


def freight_worth(order: Order, part: FreightPart, *, lines: Sequence[OrderLine], goods: Decimal) -> Decimal:
    """Return the amount of a part of an order's freight.

    `goods`: the products' amount in this refund. Its share of all that was paid for products is its share of
    the freight.
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
    """Return the part of freight that the form proposes: all of it for a whole order that was not sent."""
    is_unsent = order.status in PAID_CODES | {OrderStatus.ready}
    return FreightPart.all if is_whole and is_unsent else FreightPart.none


def share_of(part: Decimal, *, whole: Decimal, before: Decimal, amount: Decimal) -> Decimal:
    """Return the share of `part` that belongs to an amount of the whole, such as its tax, in dollars.

    `before`: the amounts of the whole that were shared before. The shares of all amounts add up to the part.
    """
    if not whole:
        return ZERO
    return aud(part * (before + amount) / whole) - aud(part * before / whole)


def allocate(amount: Decimal, left: Mapping[int, Decimal]) -> dict[int, Decimal]:
    """Split an amount over payments in their order; return the amount of each.

    `left`: payment pk → dollars. Raises ShopError(refund_above_paid) if they are not enough.
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
    """Return what a wish refunds of its line; None for an empty wish. Raises as `price_refund` does."""
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
