"""The expected books after each step, in plain dictionaries and whole cents.

See docs/guarantees/README.md, for refunds docs/guarantees/money.md#refunds-of-orders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings

from core.errors import Err
from tools.chaos.machine.payment_outcomes import Settled
from tools.chaos.machine.prices import dollars, half_up
from tools.chaos.machine.records import (
    CANCELED,
    COMPLETED,
    DISPUTED,
    PAID,
    PARTLY_SHIPPED,
    READY,
    SHIPPED,
    TO_BE_SENT,
    WALLET,
    WITH_MONEY,
    Dispute,
    Fate,
    Order,
    Payment,
    Refund,
    add_up,
)

# How the gateway answers who wants money back: as it should; not at all; only after it was asked again; that
# it takes its time; that it refuses.
MOODS = ("well", "away", "silent", "slow", "refuses")


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

    fate: Fate
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
class Books(Settled):
    """All the books: also what staff refund, what leaves the shop, and what the gateway sends back."""

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
        fate = order.fates[wish.line]
        line = fate.line
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
        unsent = min(wish.units, fate.to_send) if order.status in (*TO_BE_SENT, DISPUTED) else 0
        gst = _share(line.gst, fate.cents, cents, line.in_money)
        return Part(fate, wish.units, unsent, cents, gst, wish.restocked)

    def has_left(self, order: Order, back: GoesBack) -> bool:
        """Return True if all units that go into stock again had left."""
        were_sent = add_up((part.fate.line.product, part.units - part.unsent) for part in back.parts)
        restocked = add_up((part.fate.line.product, part.restocked) for part in back.parts)
        before = add_up((fate.line.product, fate.restocked) for fate in order.fates)
        sent = order.sent()
        return all(
            units <= were_sent[pk] and before[pk] + units <= sent[pk] for pk, units in (+restocked).items()
        )

    def refund(self, order: Order, back: GoesBack, to: str, now: datetime) -> None:
        """Give it back: money, points and units."""
        for part in back.parts:
            fate, line = part.fate, part.fate.line
            fate.refunded += part.units
            fate.cents += part.cents
            fate.restocked += part.restocked
            order.released[line.product] += part.unsent if order.status != DISPUTED else 0
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

    # ── What leaves the shop, and what the gateway sends back ─────────────────────────────────────────────

    def send(self, order: Order, units: Mapping[int, int], now: datetime) -> None:
        """Let units of lines leave in a parcel; the last one completes the order after some days."""
        self._leave(order, units)
        order.status = PARTLY_SHIPPED if any(order.to_send()) else SHIPPED
        if order.status == SHIPPED:
            order.completes_at = now + timedelta(days=settings.COMPLETE_AFTER_DAYS)

    def hand_over(self, order: Order, now: datetime) -> None:
        """Let all of an order leave with its customer."""
        self._leave(order, dict(enumerate(order.to_send())))
        order.status = COMPLETED
        order.handed_over_at, order.refunds_before, order.is_undoable = now, len(order.refunds), True

    def refusal_of_undo(self, order: Order, now: datetime) -> Err | None:
        """Return why a hand-over cannot be undone; None if it can."""
        if order.status == DISPUTED:
            return Err.undo_disputed
        if not order.is_undoable:
            return Err.order_moved
        if not order.can_be_undone(now):
            return Err.undo_over
        return Err.undo_refunded if len(order.refunds) > order.refunds_before else None

    def undo_hand_over(self, order: Order) -> None:
        """Let an order be ready again, with its units."""
        self._leave(order, {place: -fate.sent for place, fate in enumerate(order.fates)})
        order.status, order.is_undoable = READY, False

    def _leave(self, order: Order, units: Mapping[int, int]) -> None:
        for place, count in units.items():
            order.fates[place].sent += count
            self.on_hand[order.wanted.place, order.lines[place].product] -= count

    def complete(self, now: datetime) -> None:
        """Complete the orders that have been on their way for long."""
        for order in self.orders:
            if order.status == SHIPPED and order.completes_at and order.completes_at <= now:
                order.status = COMPLETED

    def can_be_disputed(self, payment: Payment) -> bool:
        """Return True if a bank can take a payment back."""
        is_paid = payment.state == "paid" and payment.pay_type != WALLET
        return is_paid and not payment.is_disputed and payment.in_dispute > 0

    def dispute(self, payment: Payment) -> None:
        """Let a bank take a payment back: its order stops, and what went to the wallet is owed."""
        order = payment.order
        is_of_part = order is not None and not order.was_paid
        dispute = Dispute(payment, payment.in_wallet, is_of_part)
        self.disputes.append(dispute)
        payment.is_disputed, payment.is_held = True, False
        if order is not None and order.status in WITH_MONEY:
            dispute.status, dispute.hour = order.status, order.hour
            if order.status in (PAID, READY):
                order.hour = None
            order.end(DISPUTED)
            self.take_points_back(order)
        if payment.left:
            self.give_back(payment, payment.left, "chargeback")
        self.debts[payment.buyer] += dispute.from_wallet
        self.credit(payment.buyer, Decimal(0))
        self.return_parts(payment.buyer)

    def undo(self, dispute: Dispute, now: datetime) -> None:
        """Let the shop have the money of a dispute again, and its order continue."""
        payment = dispute.payment
        dispute.state, payment.is_disputed = "won", False
        for refund in payment.refunds:
            if (refund.reason, refund.state) == ("chargeback", "done"):
                refund.state = "reversed"
        owed = min(dispute.from_wallet, self.debts[payment.buyer])
        self.debts[payment.buyer] -= owed
        self.credit(payment.buyer, dispute.from_wallet - owed)
        order = payment.order
        if order is not None and dispute.is_of_part:
            self.use_money(payment, order.left, now)
        if order is None or order.status != DISPUTED or any(each.is_disputed for each in order.payments):
            return
        last = [each for each in self.disputes if each.payment.order is order and each.status is not None][-1]
        assert last.status is not None
        self._continue(order, last.status, last.hour, now)

    def _continue(self, order: Order, status: int, hour: datetime | None, now: datetime) -> None:
        """Give an order what it had before: units that are not there any more are left out."""
        place = order.wanted.place
        wanted = add_up((fate.line.product, fate.to_send) for fate in order.fates)
        lacking = {product for product, units in wanted.items() if self.free(place, product) < units}
        if status in (PAID, READY) and hour and self.has_hour(hour, now):
            order.hour = hour
        order.status = status
        if order.is_booked:
            self.points[order.buyer] += self.worth(order) - order.earned
            order.earned = self.worth(order)
        for fate in order.fates:
            if fate.line.product in lacking:
                fate.left_out += fate.to_send
        if lacking and order.status == PARTLY_SHIPPED and not any(order.to_send()):
            order.status = SHIPPED
        order.completes_at = None
        if order.status == SHIPPED:
            order.completes_at = now + timedelta(days=settings.COMPLETE_AFTER_DAYS)

    def refunds(self) -> list[Refund]:
        """Return all that goes back, in the order of the payments."""
        return [refund for payment in self.payments for refund in payment.refunds]

    def ask_gateway(self, refund: Refund, mood: str) -> None:
        """Ask the gateway for money that is due, or what became of it; staff settle that of a dispute."""
        if not refund.is_sent and refund.payment.is_disputed:
            refund.is_left_to_staff = True
            return
        known = self.gateway.get(refund.reference) if refund.is_sent else None
        refund.is_sent, refund.state = True, "sending"
        if mood == "away":
            return
        if known == "done" or (known == "slow" and mood in ("well", "silent")):
            self.gateway[refund.reference] = refund.state = "done"
        elif mood == "refuses":
            self.gateway.pop(refund.reference, None)
            refund.state = "failed"
        elif known is None:
            self.gateway[refund.reference] = "slow" if mood == "slow" else "done"
            refund.state = "done" if mood == "well" else "sending"

    def send_again(self, refund: Refund) -> None:
        """Send a refund that the gateway has refused once more, under another reference."""
        refund.attempts += 1
        number = refund.payment.refunds.index(refund) + 1
        refund.reference = f"{refund.reference.partition('-r')[0]}-r{number}-{refund.attempts}"
        refund.state, refund.is_sent = "due", False


def _share(part: int, before: int, amount: int, whole: int) -> int:
    """Return an amount's share of a part of the whole: all shares together are the part."""
    return half_up(part * (before + amount), whole) - half_up(part * before, whole)
