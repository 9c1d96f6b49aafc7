"""Steps of customers who pay, of the gateway, and of the clock that ends what is not paid."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import multiple, rule

from commerce.accounts.tests.builders import PASSWORD
from commerce.messaging.services import deliver_due_messages
from commerce.notifications.services import notify_due
from commerce.orders.purging import delete_expired_trades
from commerce.orders.sales import count_due_sales
from commerce.orders.services import expire_due_orders
from commerce.payments.models import Payment as PaymentRow
from commerce.payments.sandbox.models import SandboxCharge
from commerce.payments.services import pay_order, query_open_payments, refresh_order, refresh_payment
from commerce.payments.tests.builders import decide
from config.storm.machine.books import MAX_PAYMENTS
from config.storm.machine.opened import CODES, PAYMENTS, OpenedShop
from config.storm.machine.records import PAID, Code, Order, Payment
from core.errors import Err

# The audit finds unpaid orders and messages that the sweeps have left for longer.
MINUTES_BETWEEN_SWEEPS = 9
WALLET = "0"
REDIRECTING = ("5", "2")


class Paying(OpenedShop):
    """Customers pay from the wallet or at the gateway, early, late and twice; time passes."""

    # Minutes.
    _unswept = 0

    @rule(code=CODES)
    def pay_from_wallet(self, code: Code) -> None:
        """Pay an order from its customer's wallet."""
        order = code.order
        if order is None:
            return
        refusal = self.books.refusal_of_payment(order, timezone.now())
        if refusal is None and self.books.wallets[order.buyer] < order.to_pay:
            refusal = Err.balance_insufficient
        self._expect(refusal, lambda: self._pay(order, WALLET))
        if refusal is None:
            payment = self.books.begin(order, WALLET, timezone.now())
            payment.state, order.status = "paid", PAID
            self.books.post(self.books.wallets, order.buyer, -order.to_pay, payment.reference)

    @rule(target=PAYMENTS, code=CODES, pay_type=st.sampled_from(REDIRECTING))
    def begin_to_pay(self, code: Code, pay_type: str) -> Any:
        """Send a customer to the gateway, or back to where they were sent before if that is still open."""
        order = code.order
        if order is None:
            return multiple()
        # Nothing was asked about so lately that it is not asked about again.
        self._pass(2)
        refusal = self.books.refusal_of_payment(order, timezone.now())
        if refusal is None:
            self.books.settle(order.open_payments(pay_type), timezone.now())
            refusal = self.books.refusal_of_payment(order, timezone.now())
        is_open = bool(order.open_payments(pay_type))
        if refusal is None and not is_open and len(order.payments) >= MAX_PAYMENTS:
            refusal = Err.too_frequent
        self._expect(refusal, lambda: self._pay(order, pay_type))
        if refusal or is_open:
            return multiple()
        return self.books.begin(order, pay_type, timezone.now())

    def _pay(self, order: Order, pay_type: str) -> str | None:
        return pay_order(
            customer=self._buyer(order.buyer),
            order_no=order.number,
            pay_type=pay_type,
            password=PASSWORD,
            language="en",
            site_url="http://127.0.0.1:1",
        )

    @rule(payment=PAYMENTS, outcome=st.sampled_from(["paid", "paid", "declined", "0.01", "CNY"]))
    def decide(self, payment: Payment, outcome: str) -> None:
        """Let the gateway collect money, also of another amount or currency, or decline, without a notice."""
        if payment.charge == "paid" or payment.begun_at <= timezone.now() - timedelta(hours=24):
            return
        payment.charge = "declined" if outcome == "declined" else "paid"
        amount = Decimal(outcome) if outcome == "0.01" else payment.amount
        payment.collected = (amount, "CNY" if outcome == "CNY" else "AUD")
        decide(
            PaymentRow.objects.get(reference=payment.reference),
            SandboxCharge.State(payment.charge),
            amount=amount,
            currency=payment.collected[1],
        )

    @rule(payment=PAYMENTS)
    def ask_about_payment(self, payment: Payment) -> None:
        """Ask the gateway about a payment, as after a notice."""
        refresh_payment(payment=PaymentRow.objects.get(reference=payment.reference))
        self.books.settle([payment], timezone.now())

    @rule(code=CODES)
    def look_at_result(self, code: Code) -> None:
        """Let a customer look at the result, which asks about the open and failed payments."""
        order = code.order
        if order is None:
            return
        self._pass(2)
        rows = PaymentRow.objects.filter(next_query_at__isnull=False, order__order_no=order.number)
        asked = list(rows.order_by("-state", "-id").values_list("reference", flat=True)[:5])
        is_paid = order.status == PAID
        refresh_order(customer=self._buyer(order.buyer), order_no=order.number)
        if not is_paid:
            self._settle(asked)

    def _settle(self, references: list[str]) -> None:
        known = {payment.reference: payment for order in self.books.orders for payment in order.payments}
        self.books.settle([known[reference] for reference in references], timezone.now())

    @rule()
    def sweep(self) -> None:
        """Do what the clock does each minute, and at night."""
        self._unswept = 0
        expire_due_orders()
        self.books.expire(timezone.now())
        due = PaymentRow.objects.filter(next_query_at__lte=timezone.now()).order_by("next_query_at")
        asked = list(due.values_list("reference", flat=True))
        query_open_payments()
        self._settle(asked)
        delete_expired_trades()
        self.books.purge(timezone.now())
        count_due_sales()
        notify_due()
        deliver_due_messages()
        for order in self.books.orders:
            order.is_counted |= order.status == PAID

    @rule(minutes=st.sampled_from([1, 1, 5, 9, 9, 31, 121, 25 * 60]))
    def wait(self, minutes: int) -> None:
        """Let time pass; the sweeps run as they must."""
        self._pass(minutes)

    def _pass(self, minutes: int) -> None:
        self._clock.shift(timedelta(minutes=minutes))
        self._unswept += minutes
        if self._unswept > MINUTES_BETWEEN_SWEEPS:
            self.sweep()
