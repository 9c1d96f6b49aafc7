"""What a provider's notice of a dispute does to wallets and orders (docs/guarantees/money.md#refunds)."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    make_order,
    make_stocked,
    nothing_changes,
    refuses,
    wallet_of,
)
from commerce.payments.models import Payment, Refund
from commerce.payments.pending import missing_top_ups, refunds_due
from commerce.payments.providers.base import Notice, Outcome
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.services import (
    book_chargebacks,
    note_paid_back,
    request_refund,
    retry_refund,
    send_refunds,
    settle,
)
from commerce.payments.services.notices import handle_notice
from commerce.payments.services.wallet import hold_from_wallet
from commerce.payments.tests.builders import audit_money, make_paid_payment, make_recharge
from core.errors import Err
from core.money import ZERO
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def provider(monkeypatch: pytest.MonkeyPatch) -> SandboxProvider:
    """A provider that confirms every dispute."""
    monkeypatch.setattr(SandboxProvider, "is_disputed", lambda self, **kw: True)
    return SandboxProvider()


def dispute(provider: SandboxProvider, payment: Payment, event: str) -> None:
    notice = Notice(payment.reference, event, {}, reports_paid=False, dispute_ref="D1")
    handle_notice(provider=provider, notice=notice)


def another_payment(order: Order, number: int) -> Payment:
    """Make another payment of an order, of five dollars, that its provider has collected."""
    return Payment.objects.create(
        order=order, reference=f"{order}-{number}", pay_type="5", provider="sandbox", amount=5, state="paid"
    )


def collect(payment: Payment, amount: Decimal) -> Payment:
    settle(payment=payment, outcome=Outcome(Payment.State.paid, payment.reference, amount, "AUD"))
    return payment


def test_a_disputed_top_up_leaves_the_wallet_as_far_as_it_is_there_and_staff_see_the_rest(
    provider: SandboxProvider,
) -> None:
    buyer = Buyer()
    whole = collect(make_recharge(buyer, "30.00").payments.get(), Decimal(30))
    part = collect(make_recharge(buyer, "50.00").payments.get(), Decimal(50))
    dispute(provider, whole, "E1")
    assert wallet_of(buyer.customer) == 50
    order = make_order(buyer, (make_stocked(price=Decimal("30.00")), 2))
    hold_from_wallet(order=order, amount=Decimal(20), pay_type="5")

    dispute(provider, part, "E2")

    assert wallet_of(buyer.customer) == 0
    rows = Refund.objects.order_by("pk").values_list("payment", "amount", "reason", "state")
    assert [*rows] == [
        (whole.pk, Decimal(30), "chargeback", "done"),
        (part.pk, Decimal(30), "chargeback", "done"),
        (part.pk, Decimal(20), "not_in_wallet", "due"),
    ]
    part.refresh_from_db()
    assert (part.refunded, part.disputed_at is None) == (Decimal(50), False)
    entries = buyer.send("GET", "/user/balance/detailed")["result"]["list"]
    assert (entries[0]["reason"], entries[0]["amount"]) == ("撤销结算扣回余额", -30.0)
    dispute(provider, part, "E3")
    assert Refund.objects.count() == 3
    audit_money()
    boss = User.objects.create_superuser("boss")
    card, others = missing_top_ups(boss), refunds_due(boss)
    assert card
    assert others
    assert ([item.text for item in card.items], others.total) == (["AUD 20.00"], 0)
    note_paid_back(refund=Refund.objects.get(reason="not_in_wallet"), staff=boss, note="Paid by transfer")
    closed = missing_top_ups(boss)
    assert closed
    assert closed.total == 0
    audit_money()


def test_a_dispute_takes_the_payment_that_it_names_alone_and_none_that_has_gone_back(
    provider: SandboxProvider,
) -> None:
    good = make_paid_payment(Buyer())
    again, other = (another_payment(good.paid_order, number) for number in (8, 9))
    Payment.objects.filter(pk=again.pk).update(refunded=5)
    before = Order.objects.get().history.count()

    dispute(provider, again, "E1")

    with nothing_changes():
        assert book_chargebacks() == 0
    order = Order.objects.get()
    assert (order.status, order.history.count()) == (OrderStatus.paid, before)
    again.refresh_from_db()
    assert again.disputed_at is None

    dispute(provider, good, "E2")
    assert Order.objects.get().status == OrderStatus.chargeback
    assert book_chargebacks() == 1
    assert [*Refund.objects.values_list("payment", flat=True)] == [good.pk]
    assert book_chargebacks() == 0
    dispute(provider, other, "E3")
    assert book_chargebacks() == 1
    assert Refund.objects.filter(payment=other, amount=5, reason="chargeback").count() == 1


def test_what_was_to_be_sent_back_of_a_disputed_payment_waits_for_staff(provider: SandboxProvider) -> None:
    good = make_paid_payment(Buyer())
    again = another_payment(good.paid_order, 9)
    twice = request_refund(payment=again, amount=Decimal(5), reason=Refund.Reason.paid_twice)
    part = request_refund(payment=good, amount=Decimal(1), reason=Refund.Reason.order_refund)

    dispute(provider, good, "E1")
    assert book_chargebacks() == 1
    # That of another payment of the order was sent.
    assert send_refunds() == 1

    states = dict(Refund.objects.values_list("pk", "sent_at"))
    assert (states[part.pk], states[twice.pk] is None) == (None, False)
    boss = User.objects.create_superuser("boss")
    card = refunds_due(boss)
    assert card
    assert "AUD 1.00" in [item.text for item in card.items]
    Refund.objects.filter(pk=part.pk).update(state="failed")
    part.refresh_from_db()
    with refuses(Err.payment_disputed):
        retry_refund(refund=part)
    note_paid_back(refund=part, staff=boss, note="The bank has given it")
    assert send_refunds() == 0
    audit_money()


@pytest.mark.django_db(transaction=True)
def test_notices_of_a_dispute_at_the_same_time_next_to_payments_take_a_top_up_once(
    provider: SandboxProvider,
) -> None:
    buyer = Buyer()
    top_up = collect(make_recharge(buyer, "50.00").payments.get(), Decimal(50))
    orders = [make_order(buyer, (make_stocked(price=Decimal("30.00")), 2)) for _ in range(4)]

    def act(number: int) -> None:
        if number < len(orders):
            hold_from_wallet(order=orders[number], amount=Decimal(10), pay_type="5")
        else:
            dispute(provider, top_up, f"E{number}")

    outcomes = concurrently(act, range(12))
    assert set(outcomes) <= {None, Err.balance_insufficient}
    spent = Decimal(10) * Payment.objects.filter(is_held=True).count()
    left = wallet_of(buyer.customer)
    taken = dict(Refund.objects.values_list("reason", "amount"))
    assert (left, taken.get("chargeback", ZERO)) == (ZERO, 50 - spent)
    assert taken.get("not_in_wallet", ZERO) == spent
    top_up.refresh_from_db()
    assert top_up.refunded == Decimal(50)
    audit_money()
