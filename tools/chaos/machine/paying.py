"""Steps of customers who pay and top their wallets up, and of the gateway."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import multiple, rule

from commerce.accounts.tests.builders import PASSWORD
from commerce.payments.models import Payment as PaymentRow
from commerce.payments.providers.base import Device, Notice
from commerce.payments.providers.registry import SANDBOX
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.services import (
    continue_recharge,
    handle_notice,
    pay_order,
    refresh_order,
    refresh_payment,
    start_recharge,
)
from commerce.payments.tests.builders import decide
from core.errors import Err
from tools.chaos.machine.opened import BUYERS, CODES, PAY_TYPES, PAYMENTS, SITE
from tools.chaos.machine.passing import Passing
from tools.chaos.machine.payment_outcomes import MAX_PAYMENTS
from tools.chaos.machine.records import REDIRECTING, WALLET, WITH_MONEY, Code, Order, Payment

# Of one customer in a day, by the shop's own limit.
MAX_TOP_UPS = 20
# More than an order costs too.
PARTS = st.sampled_from([None, None, Decimal("0.01"), Decimal("5.00"), Decimal("17.35"), Decimal(1000)])


class Paying(Passing):
    """Customers pay from the wallet, at the gateway or both, early, late and twice, and top wallets up."""

    _top_ups = 0

    @rule(code=CODES)
    def pay_from_wallet(self, code: Code) -> None:
        """Pay what is left of an order from its customer's wallet."""
        order = code.order
        if order is None:
            return
        refusal = self.books.refusal_of_payment(order, timezone.now())
        if refusal is None and self.books.wallets[order.buyer] < order.left:
            refusal = Err.balance_insufficient
        self._expect(refusal, lambda: self._pay(order, WALLET))
        if refusal is None:
            self.books.pay_from_wallet(order, timezone.now())

    @rule(target=PAYMENTS, code=CODES, pay_type=PAY_TYPES, part=PARTS)
    def begin_to_pay(self, code: Code, pay_type: str, part: Decimal | None) -> Any:
        """Send a customer to the gateway, or back to where they were sent before if that is still open.

        `part`: dollars that the wallet pays before, None for none.
        """
        order, books = code.order, self.books
        if order is None:
            return multiple()
        # Nothing was asked about so lately that it is not asked about again.
        self._pass(2)
        refusal = books.refusal_of_payment(order, timezone.now())
        if refusal is None and part is not None:
            refusal = books.refusal_of_part(order, part)
            if refusal is None:
                books.hold(order, part, timezone.now())
        existing = order.open_payment(pay_type)
        if refusal is None and existing:
            books.settle([existing], timezone.now())
            refusal = books.refusal_of_payment(order, timezone.now())
            existing = order.open_payment(pay_type)
        if refusal is None and not existing and len(order.payments) >= MAX_PAYMENTS:
            refusal = Err.too_frequent
        self._expect(refusal, lambda: self._pay(order, pay_type, part))
        return multiple() if refusal or existing else books.begin(order, pay_type, order.left, timezone.now())

    @rule(target=PAYMENTS, code=CODES, pay_type=PAY_TYPES, part=PARTS)
    def pay_at_gateway(self, code: Code, pay_type: str, part: Decimal | None) -> Any:
        """Pay at the gateway immediately, and let it notify the shop."""
        payment = self.begin_to_pay(code, pay_type, part)
        if isinstance(payment, Payment):
            self.decide(payment, "paid")
            self.notify(payment, 0, 1)
        return payment

    def _pay(self, order: Order, pay_type: str, part: Decimal | None = None) -> str | None:
        return pay_order(
            customer=self._buyer(order.buyer),
            order_no=order.number,
            pay_type=pay_type,
            password=PASSWORD,
            language="en",
            site_url=SITE,
            wallet_amount=part,
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

    @rule(payment=PAYMENTS, event=st.integers(0, 1), times=st.integers(1, 2))
    def notify(self, payment: Payment, event: int, times: int) -> None:
        """Let the gateway notify of a payment, early, late and again, never of money that is not there."""
        is_paid = payment.charge == "paid"
        for _ in range(times):
            handle_notice(
                provider=SANDBOX,
                notice=Notice(
                    reference=payment.reference,
                    event_id=f"{payment.reference}-{is_paid}-{event}",
                    body={},
                    reports_paid=is_paid,
                ),
            )
        self.books.settle([payment], timezone.now())

    @rule(payment=PAYMENTS)
    def ask_about_payment(self, payment: Payment) -> None:
        """Ask the gateway about a payment."""
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
        is_paid = order.status in WITH_MONEY
        refresh_order(customer=self._buyer(order.buyer), order_no=order.number)
        if not is_paid:
            self._settle(asked)

    @rule(target=PAYMENTS, buyer=BUYERS, pay_type=PAY_TYPES, dollars=st.sampled_from(["0.99", "25", "5001"]))
    def begin_to_top_up(self, buyer: int, pay_type: str, dollars: str) -> Any:
        """Begin to top a wallet up at the gateway, with too little or too much too."""
        refusal = None if dollars == "25" else Err.parameter_error
        if refusal is None and self._top_ups >= MAX_TOP_UPS:
            return multiple()
        customer = self.buyers[buyer]
        begun = self._expect(
            refusal,
            lambda: start_recharge(
                customer=customer,
                pay_type=pay_type,
                amount=Decimal(dollars),
                source="web",
                language="en",
                site_url=SITE,
                device=Device.desktop,
            ),
        )
        if begun is None:
            return multiple()
        self._top_ups += 1
        number, now = begun[0].number, timezone.now()
        return self.books.begin_top_up(customer.pk, number, pay_type, Decimal(dollars), now)

    @rule(target=PAYMENTS, buyer=BUYERS)
    def top_up(self, buyer: int) -> Any:
        """Top a wallet up at the gateway immediately, and let it notify the shop."""
        payment = self.begin_to_top_up(buyer, REDIRECTING[0], "25")
        if isinstance(payment, Payment):
            self.decide(payment, "paid")
            self.notify(payment, 0, 1)
        return payment

    @rule(payment=PAYMENTS)
    def look_at_top_up(self, payment: Payment) -> None:
        """Let a customer go on with a top-up, which opens the gateway while it is open."""
        if payment.order is not None:
            return
        self._pass(2)
        row = PaymentRow.objects.get(reference=payment.reference)
        link = continue_recharge(
            customer=self._buyer(payment.buyer),
            number=row.number,
            site_url=SITE,
            device=Device.desktop,
        )
        if row.next_query_at is not None:
            self.books.settle([payment], timezone.now())
        assert bool(link) == (payment.state == "pending")
