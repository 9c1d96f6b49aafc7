"""Steps of customers who top their wallets up."""

from decimal import Decimal
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import multiple, rule

from commerce.payments.models import Payment as PaymentRow
from commerce.payments.providers.base import Device
from commerce.payments.services import continue_recharge, start_recharge
from core.errors import Err
from tools.chaos.machine.opened import BUYERS, PAY_TYPES, PAYMENTS, SITE
from tools.chaos.machine.passing import Passing
from tools.chaos.machine.records import Payment

# Of one customer in a day, by the shop's own limit.
MAX_TOP_UPS = 20


class ToppingUp(Passing):
    """Customers top their wallets up at the gateway, which is asked and answers as for orders."""

    _top_ups = 0

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
