from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from commerce.accounts.tests.builders import PASSWORD
from commerce.orders.models import Order
from commerce.orders.services import cancel_order, expire_due_orders
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    make_order,
    make_stocked,
    nothing_changes,
    top_up,
    wallet_of,
)
from commerce.payments.models import Payment, Recharge, Refund
from commerce.payments.providers.base import Outcome, RefundOutcome, UnavailableError
from commerce.payments.providers.sandbox.models import SandboxRefund
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.services import (
    note_paid_back,
    record_payment,
    request_refund,
    retry_refund,
    return_held_money,
    send_refunds,
    settle,
)
from commerce.payments.services.polling import ASKED_WITHIN, INTERVALS
from commerce.payments.services.record import mark_of_receipts
from commerce.payments.services.refunds import settle_refund
from commerce.payments.tests.builders import (
    audit_money,
    collect,
    gateway_does,
    make_paid_payment,
    make_payment,
    pay,
    switch_on_pay_types,
)
from core.errors import Err, ShopError
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

Reason, State = Refund.Reason, Refund.State
PART = Decimal(2)


@pytest.fixture
def buyer() -> Buyer:
    buyer = Buyer()
    top_up(buyer.customer, 500)
    return buyer


@pytest.fixture
def boss() -> User:
    return User.objects.create(username="boss")


def refund(payment: Payment, amount: str = "1.00", **kw: object) -> Refund:
    return request_refund(
        payment=payment,
        amount=Decimal(amount),
        reason=Reason.order_refund,
        **kw,  # type: ignore[arg-type]
    )


def let_time_pass() -> None:
    Refund.objects.exclude(next_query_at=None).update(next_query_at=timezone.now())


def refusal_of(work: Callable[[], object]) -> Err:
    with nothing_changes(), pytest.raises(ShopError) as refused:
        work()
    return refused.value.err


def test_a_refund_goes_back_by_the_provider_that_collected_the_money(buyer: Buyer) -> None:
    back = refund(make_paid_payment(buyer))
    assert (back.state, back.to) == (State.due, "source")
    assert send_refunds() == 1
    back.refresh_from_db()
    assert (back.state, back.next_query_at) == (State.done, None)
    assert SandboxRefund.objects.get().amount == 1
    with nothing_changes():
        assert send_refunds() == 0
    audit_money()


def test_a_refund_to_the_wallet_is_there_immediately(buyer: Buyer) -> None:
    payment = make_paid_payment(buyer)
    before = wallet_of(buyer.customer)
    back = refund(payment, "1.50", to=Refund.To.wallet)
    assert back.state == State.done
    assert wallet_of(buyer.customer) == before + Decimal("1.50")
    assert send_refunds() == 0
    audit_money()


def test_what_the_wallet_paid_goes_back_to_the_wallet_alone(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, "0", password=PASSWORD)
    back = refund(order.payments.get(), str(order.pay_amount))
    assert (back.to, back.state) == ("wallet", State.done)
    assert wallet_of(buyer.customer) == 500
    audit_money()


def test_no_more_goes_back_than_a_payment_has_collected(buyer: Buyer) -> None:
    payment = make_paid_payment(buyer)
    refund(payment, str(payment.amount - 1))
    assert refusal_of(lambda: refund(payment, "1.01")) == Err.refund_above_paid
    refund(payment, "1.00")
    assert refusal_of(lambda: refund(payment, "0.01")) == Err.refund_above_paid
    unpaid = make_payment(buyer)
    assert refusal_of(lambda: refund(unpaid)) == Err.refund_above_paid
    audit_money()


def test_a_refund_whose_answer_was_lost_is_asked_about_and_sent_once(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    back = refund(make_paid_payment(buyer))
    really = SandboxProvider.refund

    def lose_the_answer(provider: SandboxProvider, *, refund: Refund) -> RefundOutcome:
        really(provider, refund=refund)
        raise UnavailableError("timeout")

    with gateway_does("refund", lose_the_answer):
        assert send_refunds() == 1
    back.refresh_from_db()
    assert back.state == State.sending
    assert back.next_query_at
    let_time_pass()
    monkeypatch.setattr(SandboxProvider, "refund", lambda *_, **__: pytest.fail("sent again"))
    assert send_refunds() == 1
    back.refresh_from_db()
    assert back.state == State.done
    assert SandboxRefund.objects.count() == 1
    audit_money()


def test_a_refund_is_asked_about_at_growing_intervals_until_there_is_an_answer(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    back = refund(make_paid_payment(buyer))
    on_its_way = RefundOutcome(State.sending, provider_ref="abc")
    monkeypatch.setattr(SandboxProvider, "refund", lambda *_, **__: on_its_way)
    monkeypatch.setattr(SandboxProvider, "query_refund", lambda *_, **__: on_its_way)
    for minutes in [*INTERVALS, INTERVALS[-1]]:
        let_time_pass()
        before = timezone.now()
        assert send_refunds() == 1
        back.refresh_from_db()
        assert back.next_query_at
        waits = back.next_query_at - before
        assert timedelta(minutes=minutes) <= waits < timedelta(minutes=minutes + 1)
        assert (back.state, back.provider_ref) == (State.sending, "abc")


def test_a_refund_is_asked_about_again_soon_however_often_a_process_is_killed_in_the_meantime(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    back = refund(make_paid_payment(buyer))
    for name in ("refund", "query_refund"):
        monkeypatch.setattr(SandboxProvider, name, Mock(side_effect=SystemExit))
    for _ in INTERVALS:
        let_time_pass()
        with pytest.raises(SystemExit):
            send_refunds()
    back.refresh_from_db()
    assert back.next_query_at
    assert back.next_query_at - timezone.now() <= ASKED_WITHIN


def test_what_a_provider_refuses_is_still_owed_and_can_be_sent_again_or_paid_by_hand(
    buyer: Buyer, boss: User
) -> None:
    payment = make_paid_payment(buyer)
    back = refund(payment)
    first = back.reference
    Refund.objects.filter(pk=back.pk).update(state=State.sending)
    settle_refund(refund=back, outcome=RefundOutcome(State.failed, detail="no such card"))
    back.refresh_from_db()
    assert (back.state, back.detail, back.next_query_at) == (State.failed, "no such card", None)
    # No other debt can be paid from what it still owes.
    assert refusal_of(lambda: refund(payment, str(payment.amount))) == Err.refund_above_paid

    retry_refund(refund=back)
    assert refusal_of(lambda: retry_refund(refund=back)) == Err.refund_moved
    assert refusal_of(lambda: note_paid_back(refund=back, staff=boss, note="bank")) == Err.refund_moved
    send_refunds()
    back.refresh_from_db()
    assert (back.state, back.reference) == (State.done, f"{first}-2")
    assert SandboxRefund.objects.get().reference == back.reference

    again = refund(payment)
    Refund.objects.filter(pk=again.pk).update(state=State.failed, next_query_at=None)
    assert refusal_of(lambda: note_paid_back(refund=again, staff=boss, note=" ")) == Err.note_missing
    note_paid_back(refund=again, staff=boss, note="BSB 1, 26 Nov")
    again.refresh_from_db()
    assert (again.state, again.staff, again.note) == (State.done, boss, "BSB 1, 26 Nov")
    audit_money()


def test_a_part_from_the_wallet_goes_back_once_where_the_order_ends_unpaid(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    order = make_order(buyer)
    for end in ("customer", "clock"):
        with subtests.test(end=end), rolled_back():
            assert pay(buyer, order, "5", password=PASSWORD, walletAmount=2)["code"] == 0
            assert wallet_of(buyer.customer) == 498
            assert return_held_money() == 0
            if end == "customer":
                cancel_order(customer=buyer.customer, order_no=order.order_no)
            else:
                Order.objects.update(expires_at=timezone.now())
                expire_due_orders()
            assert return_held_money() == 1
            assert wallet_of(buyer.customer) == 500
            with nothing_changes():
                assert return_held_money() == 0
            audit_money()


def pay_the_rest_late(buyer: Buyer, *, part_has_gone_back: bool) -> Order:
    """Cancel an order of which the wallet has paid two dollars, and let the gateway collect the rest."""
    order = make_order(buyer)
    pay(buyer, order, "5", password=PASSWORD, walletAmount=2)
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    if part_has_gone_back:
        assert return_held_money() == 1
    collect(order.payments.get(pay_type="5"))
    order.refresh_from_db()
    return order


def test_late_money_for_the_rest_revives_an_order_whose_part_has_not_gone_back_yet(buyer: Buyer) -> None:
    assert pay_the_rest_late(buyer, part_has_gone_back=False).status == OrderStatus.paid
    assert return_held_money() == 0
    audit_money()


def test_late_money_for_the_rest_goes_back_where_the_part_has_gone_back(buyer: Buyer) -> None:
    order = pay_the_rest_late(buyer, part_has_gone_back=True)
    assert order.status == OrderStatus.canceled
    assert set(Refund.objects.values_list("reason", "amount")) == {
        ("order_ended", Decimal(2)),
        ("order_canceled", order.pay_amount - 2),
    }
    audit_money()


def test_of_an_older_payment_of_the_whole_amount_what_a_part_has_paid_goes_back(buyer: Buyer) -> None:
    whole = make_payment(buyer)
    order = whole.paid_order
    assert pay(buyer, order, "5", password=PASSWORD, walletAmount=2)["code"] == 0
    rest = order.payments.get(pay_type="5", amount=order.pay_amount - 2)
    assert rest.reference != whole.reference
    collect(whole)
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
    back = Refund.objects.get()
    assert (back.payment, back.amount, back.reason) == (whole, PART, "overpaid")
    audit_money()


def test_money_of_a_top_up_that_is_not_as_asked_for_goes_back(buyer: Buyer) -> None:
    recharge = Recharge.objects.create(number="R1", customer=buyer.customer, amount=50)
    payment = Payment.objects.create(
        recharge=recharge, reference="R1-1", pay_type="5", provider="sandbox", amount=50
    )
    for amount, currency in [("40", "AUD"), ("40", "AUD")]:
        outcome = Outcome(Payment.State.paid, payment.reference, Decimal(amount), currency)
        settle(payment=payment, outcome=outcome)
    assert wallet_of(buyer.customer) == 500
    back = Refund.objects.get()
    assert (back.amount, back.reason, back.message_due) == (Decimal(40), "wrong_amount", False)
    audit_money()


def test_what_staff_have_received_pays_an_order_in_parts_and_the_excess_goes_back_by_hand(
    buyer: Buyer, boss: User
) -> None:
    switch_on_pay_types()
    order = make_order(buyer)
    pay(buyer, order, "transfer")
    total = order.pay_amount

    def record(amount: Decimal, seen: str, note: str = "bank text") -> Payment:
        return record_payment(
            order=order,
            pay_type="transfer",
            amount=amount,
            seen=seen,
            staff=boss,
            note=note,
            with_surplus=True,
        )

    first = mark_of_receipts(order)
    assert refusal_of(lambda: record(total, first, note=" ")) == Err.note_missing
    assert refusal_of(lambda: record(Decimal(0), first)) == Err.parameter_error
    part = record(Decimal("1.00"), first)
    assert (part.is_held, part.staff, part.note) == (True, boss, "bank text")
    # The same page pressed again.
    assert refusal_of(lambda: record(Decimal("1.00"), first)) == Err.order_moved
    order.refresh_from_db()
    assert order.expires_at
    assert order.expires_at > timezone.now() + timedelta(days=2, hours=23)
    rest = record(total, mark_of_receipts(order))
    order.refresh_from_db()
    assert (order.status, rest.is_held) == (OrderStatus.paid, False)
    back = Refund.objects.get()
    assert (back.reason, back.amount, back.state) == ("overpaid", Decimal(1), "due")
    assert back.next_query_at is None
    assert send_refunds() == 0
    assert refusal_of(lambda: record(total, mark_of_receipts(order))) == Err.order_moved
    note_paid_back(refund=back, staff=boss, note="sent back")
    audit_money()


def test_a_receipt_that_a_canceled_order_cannot_take_is_pressed_twice_and_goes_back_once(
    buyer: Buyer, boss: User
) -> None:
    switch_on_pay_types()
    product = make_stocked(2)
    order = make_order(buyer, (product, 2))
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    make_order(Buyer(), (product, 2))
    receipt: dict[str, Any] = {"order": order, "pay_type": "cashOnDelivery", "staff": boss, "note": "till"}
    receipt |= {"amount": order.pay_amount, "seen": mark_of_receipts(order)}

    record_payment(**receipt)
    with nothing_changes():
        assert refusal_of(lambda: record_payment(**receipt)) == Err.order_moved

    assert Refund.objects.get().amount == order.pay_amount
    audit_money()
