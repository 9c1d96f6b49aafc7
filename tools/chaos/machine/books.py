"""The expected books after each step, in plain dictionaries (docs/guarantees/README.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from tools.chaos.machine.given_back import GivenBack
from tools.chaos.machine.records import (
    COMPLETED,
    DISPUTED,
    PAID,
    PARTLY_SHIPPED,
    READY,
    SHIPPED,
    Order,
    Refund,
)

# How the gateway answers who wants money back: as it should; not at all; only after it was asked again; that
# it takes its time; that it refuses.
MOODS = ("well", "away", "silent", "slow", "refuses")


@dataclass
class Books(GivenBack):
    """All the books: also what leaves the shop, and what the gateway sends back."""

    def send(self, order: Order, units: Mapping[int, int], now: datetime) -> None:
        """Let units of lines leave in a parcel; the last one completes the order after some days."""
        self._leave(order, units)
        order.status = PARTLY_SHIPPED if any(order.to_send()) else SHIPPED
        if order.status == SHIPPED:
            order.completes_at = now + timedelta(days=settings.COMPLETE_AFTER_DAYS)

    def hand_over(self, order: Order) -> None:
        """Let all of an order leave with its customer."""
        self._leave(order, dict(enumerate(order.to_send())))
        order.status = COMPLETED

    def _leave(self, order: Order, units: Mapping[int, int]) -> None:
        for place, count in units.items():
            order.fates[place].sent += count
            self.on_hand[order.wanted.place, order.lines[place].product] -= count

    def complete(self, now: datetime) -> None:
        """Complete the orders that have been on their way for long."""
        for order in self.orders:
            if order.status == SHIPPED and order.completes_at and order.completes_at <= now:
                order.status = COMPLETED

    def dispute(self, order: Order) -> None:
        """Let a customer ask their bank for the money: the order earns nothing and holds nothing any more."""
        if order.status in (PAID, READY):
            order.hour = None
        order.end(DISPUTED)
        self.take_points_back(order)

    def refunds(self) -> list[Refund]:
        """Return all that goes back, in the order of the payments."""
        return [refund for payment in self.payments for refund in payment.refunds]

    def ask_gateway(self, refund: Refund, mood: str) -> None:
        """Ask the gateway for money that is due, or what became of it; staff settle that of a dispute."""
        order = refund.payment.order
        if not refund.is_sent and order is not None and order.status == DISPUTED:
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
        refund.reference = f"{refund.reference.partition('-r')[0]}-r{_number_of(refund)}-{refund.attempts}"
        refund.state, refund.is_sent = "due", False


def _number_of(refund: Refund) -> int:
    return refund.payment.refunds.index(refund) + 1
