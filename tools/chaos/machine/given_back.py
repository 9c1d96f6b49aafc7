"""Refunds of orders by the books, in whole cents (docs/guarantees/money.md#refunds-of-orders)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from core.errors import Err
from tools.chaos.machine.payment_outcomes import Settled
from tools.chaos.machine.prices import dollars, half_up
from tools.chaos.machine.records import (
    CANCELED,
    DISPUTED,
    PARTLY_SHIPPED,
    SHIPPED,
    TO_BE_SENT,
    Order,
)


@dataclass(frozen=True)
class Wish:
    """What staff want to give back of a line of an order: units, cents, and units that go into stock.

    `cents`: None for all that the units are worth.
    """

    line: int
    units: int
    cents: int | None = None
    restocked: int = 0


@dataclass(frozen=True)
class Part:
    """What goes back of a line: units, of which some are not sent any more, cents and the tax in these."""

    line: int
    units: int
    unsent: int
    cents: int
    gst: int
    restocked: int


@dataclass(frozen=True)
class GoesBack:
    """What goes back of an order; amounts in cents."""

    parts: Sequence[Part]
    freight: int
    freight_gst: int

    @property
    def goods(self) -> int:
        """The cents of its products."""
        return sum(part.cents for part in self.parts)

    @property
    def facts(self) -> tuple[object, ...]:
        """What the shop stores of it."""
        gst = sum(part.gst for part in self.parts)
        return tuple(map(dollars, (self.goods, gst, self.freight, self.freight_gst)))


@dataclass
class GivenBack(Settled):
    """The books of what staff give back of orders, and of what becomes of them."""

    def refusal_of_refund(self, order: Order) -> Err | None:
        """Return why nothing of an order can go back; None if something can."""
        is_left = order.status != DISPUTED or any(payment.left for payment in order.refundable())
        return None if order.was_paid and is_left else Err.not_refundable

    def price_refund(self, order: Order, wishes: Sequence[Wish], freight: str) -> GoesBack | Err:
        """Work out what goes back of an order, or why it does not.

        `freight`: none, share or all.
        """
        if len({wish.line for wish in wishes}) < len(wishes):
            return Err.parameter_error
        parts = []
        for wish in wishes:
            part = self._part(order, wish)
            if isinstance(part, Err):
                return part
            parts += [part] if part.units or part.cents else []
        left, whole = int(order.freight * 100) - order.freight_back, int(order.freight * 100)
        back = left if freight == "all" else 0
        if freight == "share":
            before = sum(fate.cents for fate in order.fates)
            goods = sum(part.cents for part in parts)
            back = min(left, _share(whole, before, goods, order.in_money))
        gst = _share(order.freight_gst, order.freight_back, back, whole)
        result = GoesBack(parts, back, gst)
        if not parts and not back:
            return Err.nothing_to_refund
        left_of_payments = sum(each.left for each in order.refundable() if each.received[1] == "AUD")
        return Err.refund_above_paid if dollars(result.goods + back) > left_of_payments else result

    def _part(self, order: Order, wish: Wish) -> Part | Err:
        line, fate = order.lines[wish.line], order.fates[wish.line]
        if wish.restocked > wish.units:
            return Err.parameter_error
        if wish.units > line.units - fate.refunded:
            return Err.refund_above_paid
        left = line.in_money - fate.cents
        # The first units have the cents that cannot be shared.
        each, more = divmod(line.in_money, line.units)
        prices = [each + 1] * more + [each] * (line.units - more)
        most = min(left, sum(prices[fate.refunded : fate.refunded + wish.units])) if wish.units else left
        default = most if wish.units else 0
        cents = default if wish.cents is None else wish.cents
        if cents > most:
            return Err.refund_above_paid
        unsent = min(wish.units, order.to_send()[wish.line]) if order.status in TO_BE_SENT else 0
        gst = _share(line.gst, fate.cents, cents, line.in_money)
        return Part(wish.line, wish.units, unsent, cents, gst, wish.restocked)

    def has_left(self, order: Order, back: GoesBack) -> bool:
        """Return True if all units that go into stock again had left."""
        refunded, unsent, restocked, before = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
        for part in back.parts:
            product = order.lines[part.line].product
            refunded[product] += part.units
            unsent[product] += part.unsent
            restocked[product] += part.restocked
        for line, fate in zip(order.lines, order.fates, strict=True):
            before[line.product] += fate.restocked
        sent = order.sent()
        return all(
            units <= refunded[pk] - unsent[pk] and before[pk] + units <= sent[pk]
            for pk, units in (+restocked).items()
        )

    def refund(self, order: Order, back: GoesBack, to: str, now: datetime) -> None:
        """Give it back: money, points and units."""
        for part in back.parts:
            line, fate = order.lines[part.line], order.fates[part.line]
            fate.refunded += part.units
            fate.cents += part.cents
            fate.restocked += part.restocked
            order.released[line.product] += part.unsent
            fate.left_out += part.unsent
            self.on_hand[order.wanted.place, line.product] += part.restocked
        order.freight_back += back.freight
        order.goods_back += back.goods
        order.refunds.append(back.facts)  # type: ignore[arg-type]  # dollars
        self._send_money(order, back, to)
        self.take_points_back(order)
        self.give_points_back(order)
        if order.status in TO_BE_SENT and not any(order.to_send()):
            if order.status == PARTLY_SHIPPED:
                order.status = SHIPPED
                order.completes_at = now + timedelta(days=settings.COMPLETE_AFTER_DAYS)
            else:
                order.end(CANCELED)

    def _send_money(self, order: Order, back: GoesBack, to: str) -> None:
        amount = dollars(back.goods + back.freight)
        for payment in order.refundable():
            if part := min(amount, payment.left):
                self.give_back(payment, part, "order_refund", to)
                amount -= part


def _share(part: int, before: int, amount: int, whole: int) -> int:
    """Return an amount's share of a part of the whole: all shares together are the part."""
    return half_up(part * (before + amount), whole) - half_up(part * before, whole)
