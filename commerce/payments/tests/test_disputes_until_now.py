"""The migration that writes disputes and debts of earlier releases (docs/guarantees/money.md#disputes)."""

from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of, post
from commerce.orders.tests.builders import Buyer, audit, dispute, nothing_changes, wallet_of
from commerce.payments.models import Dispute, Payment, Refund
from commerce.payments.providers.base import Outcome
from commerce.payments.services import request_refund, settle
from commerce.payments.tests.builders import make_paid_payment, make_recharge

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def migrate() -> None:
    import_module("commerce.payments.migrations.0004_disputes_until_now").add_disputes(apps, None)


def debt_of(buyer: Buyer) -> Decimal:
    return balance_of(customer=buyer.customer, kind=LedgerAccount.Kind.debt)


def disputed_top_up(buyer: Buyer, state: str) -> Payment:
    """Dispute a top-up of 50.00 of which 20.00 were spent, as the release before did."""
    payment = make_recharge(buyer, "50.00").payments.get()
    settle(payment=payment, outcome=Outcome(Payment.State.paid, payment.reference, Decimal(50), "AUD"))
    wallet: dict[str, Any] = {"customer": buyer.customer, "kind": LedgerAccount.Kind.wallet}
    post(**wallet, amount=Decimal(-30), reason=LedgerEntry.Reason.chargeback, reference=f"{payment}-r1")
    refund = {"payment": payment, "to": "source", "message_due": False}
    Refund.objects.create(**refund, reference=f"{payment}-r1", amount=30, reason="chargeback", state="done")
    Refund.objects.create(**refund, reference=f"{payment}-r2", amount=20, reason="not_in_wallet", state=state)
    post(**wallet, amount=Decimal(-20), reason=LedgerEntry.Reason.opening, reference="spent")
    Payment.objects.filter(pk=payment.pk).update(disputed_at=timezone.now(), refunded=50)
    return payment


def test_what_a_wallet_could_not_pay_of_a_disputed_top_up_becomes_a_debt(subtests: pytest.Subtests) -> None:
    for state, debt in (("due", Decimal(20)), ("done", Decimal(0))):
        with subtests.test(state=state):
            buyer = Buyer()
            payment = disputed_top_up(buyer, state)
            migrate()
            assert (debt_of(buyer), wallet_of(buyer.customer)) == (debt, Decimal(0))
            row = Dispute.objects.get(payment=payment)
            assert (row.amount, row.from_wallet, row.state) == (Decimal(50), Decimal(50), "open")
            audit()
            with nothing_changes():
                migrate()


def test_refunds_to_the_wallet_of_an_order_that_staff_disputed_leave_it_again() -> None:
    buyer = Buyer()
    payment = make_paid_payment(buyer)
    request_refund(payment=payment, amount=Decimal(2), reason=Refund.Reason.paid_twice, to=Refund.To.wallet)
    assert dispute(payment.paid_order)
    migrate()
    payment.refresh_from_db()
    assert (payment.refunded, payment.disputed_at is None) == (payment.amount, False)
    assert (debt_of(buyer), wallet_of(buyer.customer)) == (Decimal(0), Decimal(0))
    row = Dispute.objects.get()
    assert (row.amount, row.from_wallet, row.order_status) == (payment.amount, Decimal(2), 2)
    audit()
