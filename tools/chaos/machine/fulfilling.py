"""Steps of the staff who send orders and hand them over, of customers who get them, and of disputes."""

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import rule

from commerce.orders.models import Order as OrderRow
from commerce.orders.moves import Move
from commerce.orders.services import move_order, receive_order
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.payments.models import Dispute as DisputeRow
from commerce.payments.models import Payment as PaymentRow
from commerce.payments.services import open_dispute, undo_dispute
from commerce.shipments.services import ship_parcel, undo_move
from core.errors import Err
from tools.chaos.machine.opened import PLACES
from tools.chaos.machine.passing import Passing
from tools.chaos.machine.records import (
    CANCELED,
    COMPLETED,
    PAID,
    PARTLY_SHIPPED,
    READY,
    SHIPPED,
    Order,
    Payment,
)


class Fulfilling(Passing):
    """Orders leave the shop, whole or in parts, and are received or disputed."""

    _parcels = 0

    @rule(place=PLACES, is_whole=st.booleans())
    def send(self, place: int, is_whole: bool) -> None:
        """Hand all that is left of an order to a carrier, or one unit of it."""
        order = self._order_at(place)
        if order is None or not any(order.to_send()):
            return
        row = OrderRow.objects.get(order_no=order.number)
        left = {line: units for line, units in enumerate(order.to_send()) if units}
        units = left if is_whole else {next(iter(left)): 1}
        lines = list(row.lines.order_by("pk").values_list("pk", flat=True))
        self._parcels += 1
        can_be = order.wanted.hour is None and order.status in (PAID, PARTLY_SHIPPED)
        self._expect(
            None if can_be else Err.order_moved,
            lambda: ship_parcel(
                order=row,
                carrier=self.carrier,
                tracking_no=f"KP{self._parcels:04}",
                units={lines[line]: count for line, count in units.items()},
                staff=self.staff,
            ),
        )
        if can_be:
            self.books.send(order, units, timezone.now())

    @rule(place=PLACES)
    def prepare(self, place: int) -> None:
        """Make an order ready for its customer to come for it."""
        order = self._order_at(place)
        if order is not None and order.wanted.hour:
            can_be = order.status == PAID
            if self._move(order, Move.prepare, can_be=can_be):
                order.status = READY

    @rule(place=PLACES)
    def hand_over(self, place: int) -> None:
        """Hand an order over to its customer."""
        order = self._order_at(place)
        if order is not None and self._move(order, Move.hand_over, can_be=order.status == READY):
            self.books.hand_over(order, timezone.now())

    @rule(place=PLACES)
    def undo_hand_over(self, place: int) -> None:
        """Undo the hand-over of an order, maybe too late, or once more."""
        order = self._order_at(place)
        if order is None or order.handed_over_at is None:
            return
        row = OrderRow.objects.get(order_no=order.number)
        change = row.history.filter(reason=ChangeReason.handed_over).latest("pk")
        refusal = self.books.refusal_of_undo(order, timezone.now())
        self._expect(refusal, lambda: undo_move(order=row, staff=self.staff, change_id=change.pk))
        if refusal is None:
            self.books.undo_hand_over(order)

    @rule(place=PLACES)
    def receive(self, place: int) -> None:
        """Let a customer confirm that an order has arrived, maybe once more."""
        order = self._order_at(place)
        if order is None:
            return
        customer = self._buyer(order.buyer)
        refusals = {SHIPPED: None, COMPLETED: None, CANCELED: Err.order_cancelled}
        refusal = refusals.get(order.status, Err.not_receivable)
        self._expect(refusal, lambda: receive_order(customer=customer, order_no=order.number))
        if refusal is None:
            order.status = COMPLETED

    @rule(place=st.integers(0, 5), is_won=st.booleans())
    def dispute(self, place: int, is_won: bool) -> None:
        """Let a customer ask their bank for the money of an order or a top-up, maybe in vain."""
        payments = [each for each in self.books.payments if each.state == "paid" or place == 0]
        if not payments:
            return
        self._dispute(payments[-1 - place % len(payments)], is_won)

    def _dispute(self, payment: Payment, is_won: bool) -> None:
        can_be = self.books.can_be_disputed(payment)
        row = PaymentRow.objects.get(reference=payment.reference)
        self._expect(
            None if can_be else Err.not_disputable, lambda: open_dispute(payment=row, note="Of the bank")
        )
        if can_be:
            self.books.dispute(payment)
            if is_won:
                self.win_dispute(0)

    @rule(place=st.integers(0, 2))
    def win_dispute(self, place: int) -> None:
        """Let the shop win one of the newest disputes, maybe once more."""
        if place >= len(self.books.disputes):
            return
        dispute = self.books.disputes[-1 - place]
        row = DisputeRow.objects.order_by("pk")[len(self.books.disputes) - 1 - place]
        can_be = dispute.state == "open"
        self._expect(
            None if can_be else Err.dispute_closed,
            lambda: undo_dispute(
                dispute=row,
                state=DisputeRow.State.won,
                staff=self.staff,
                note="Agreed",
                is_approved=True,
            ),
        )
        if can_be:
            self.books.undo(dispute, timezone.now())

    def _move(self, order: Order, move: Move, *, can_be: bool) -> bool:
        """Make a move where it can be, else see it refused; returns whether it could."""
        row = OrderRow.objects.get(order_no=order.number)
        seen, code = OrderStatus(order.status), row.pickup_code
        self._expect(
            None if can_be else Err.order_moved,
            lambda: move_order(order=row, move=move, seen=seen, staff=self.staff, pickup_code=code),
        )
        return can_be
