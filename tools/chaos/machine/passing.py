"""Steps of the clock: what happens each minute and at night, and what the gateway answers in the meantime."""

from datetime import timedelta

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import rule

from commerce.messaging.services import deliver_due_messages
from commerce.notifications.services import notify_due
from commerce.orders.points import book_due_points
from commerce.orders.purging import delete_expired_trades
from commerce.orders.sales import count_due_sales
from commerce.orders.services import complete_due_orders, expire_due_orders
from commerce.payments.models import Payment as PaymentRow
from commerce.payments.models import Refund as RefundRow
from commerce.payments.services import query_open_payments, return_held_money, send_refunds
from tools.chaos.machine.books import MOODS
from tools.chaos.machine.opened import OpenedShop

# The audit finds unpaid orders and messages that the jobs have left for longer.
MINUTES_BETWEEN_JOBS = 9


class Passing(OpenedShop):
    """Time passes, and the periodic jobs do what is due."""

    # Minutes.
    _unswept = 0

    @rule()
    def run_jobs(self) -> None:
        """Do the jobs of each minute, and of the night."""
        self._unswept = 0
        expire_due_orders()
        self.books.expire(timezone.now())
        due = PaymentRow.objects.filter(next_query_at__lte=timezone.now()).order_by("next_query_at")
        asked = list(due.values_list("reference", flat=True))
        query_open_payments()
        self._settle(asked)
        return_held_money()
        self.books.return_parts()
        complete_due_orders()
        self.books.complete(timezone.now())
        book_due_points()
        self.books.book_points(timezone.now())
        self._send_refunds()
        delete_expired_trades()
        self.books.purge(timezone.now())
        count_due_sales()
        notify_due()
        deliver_due_messages()
        for order in self.books.orders:
            order.is_counted |= order.was_paid

    def _send_refunds(self) -> None:
        due = RefundRow.objects.filter(next_query_at__lte=timezone.now())
        asked = set(due.values_list("reference", flat=True))
        send_refunds()
        for refund in self.books.refunds():
            if refund.reference in asked:
                self.books.ask_gateway(refund, self.gateway.mood)

    @rule(mood=st.sampled_from(MOODS))
    def change_mood(self, mood: str) -> None:
        """Let the gateway answer otherwise who wants money back."""
        self.gateway.mood = mood

    @rule(minutes=st.sampled_from([1, 1, 5, 9, 9, 31, 121, 25 * 60]))
    def wait(self, minutes: int) -> None:
        """Let time pass; the jobs run as they must."""
        self._pass(minutes)

    def _pass(self, minutes: int) -> None:
        self._clock.shift(timedelta(minutes=minutes))
        self._unswept += minutes
        if self._unswept > MINUTES_BETWEEN_JOBS:
            self.run_jobs()

    def _settle(self, references: list[str]) -> None:
        known = {payment.reference: payment for payment in self.books.payments}
        self.books.settle([known[reference] for reference in references], timezone.now())
