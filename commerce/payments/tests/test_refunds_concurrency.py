import time
from collections import Counter
from decimal import Decimal
from importlib import import_module

import pytest
from django.contrib.auth.models import User
from django.db.models import Sum

from commerce.accounts.tests.builders import PASSWORD
from commerce.ledger.models import LedgerEntry
from commerce.orders.models import Order
from commerce.orders.services import cancel_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order, make_stocked, top_up, wallet_of
from commerce.payments import services
from commerce.payments.models import Payment, Recharge, Refund
from commerce.payments.providers.base import Outcome
from commerce.payments.providers.sandbox.models import SandboxRefund
from commerce.payments.services.record import mark_of_receipts
from commerce.payments.services.wallet import hold_from_wallet
from commerce.payments.tests.builders import (
    audit_money,
    decide,
    make_paid_payment,
    pay,
    send_notice,
    switch_on_pay_types,
)
from core.errors import Err, ShopError
from core.tests.races import SHOWS_RACES
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db(transaction=True)

ONE = Decimal(1)


def refund_a_dollar(payment: Payment) -> str:
    row = Payment.objects.get(pk=payment.pk)
    return services.request_refund(payment=row, amount=ONE, reason=Refund.Reason.order_refund).state


def test_100_refunds_at_the_same_time_give_back_no_more_than_was_paid() -> None:
    payment = make_paid_payment(Buyer())

    outcomes = Counter(concurrently(refund_a_dollar, [payment] * 100))

    dollars = int(payment.amount)
    assert outcomes == {"due": dollars, Err.refund_above_paid: 100 - dollars}
    assert Refund.objects.aggregate(all=Sum("amount"))["all"] == dollars
    audit_money()


def test_control_reading_and_then_writing_gives_back_more_on_postgresql(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read_and_write(payment: Payment, amount: Decimal) -> None:
        seen = Payment.objects.get(pk=payment.pk)
        time.sleep(0.02)
        if seen.refunded + amount > seen.amount:
            raise ShopError(Err.refund_above_paid)
        Payment.objects.filter(pk=payment.pk).update(refunded=seen.refunded + amount)

    # The package has functions of these names, so the module is asked for.
    monkeypatch.setattr(import_module("commerce.payments.services.refunds"), "_take", read_and_write)
    payment = make_paid_payment(Buyer())

    concurrently(refund_a_dollar, [payment] * 30)

    payment.refresh_from_db()
    given = Refund.objects.count()
    assert (given > payment.refunded) is SHOWS_RACES


def test_jobs_at_the_same_time_send_each_refund_once() -> None:
    payment = make_paid_payment(Buyer())
    for _ in range(3):
        refund_a_dollar(payment)

    concurrently(lambda _: services.send_refunds(), range(6))

    assert SandboxRefund.objects.count() == 3
    assert set(Refund.objects.values_list("state", flat=True)) == {"done"}
    audit_money()


def test_many_copies_of_a_top_ups_outcome_fill_the_wallet_once() -> None:
    buyer = Buyer()
    recharge = Recharge.objects.create(number="R1", customer=buyer.customer, amount=50)
    payment = Payment.objects.create(
        recharge=recharge, reference="R1-1", pay_type="5", provider="sandbox", amount=50
    )
    outcome = Outcome(Payment.State.paid, payment.reference, Decimal(50), "AUD")

    concurrently(lambda _: services.settle(payment=payment, outcome=outcome), range(32))

    assert wallet_of(buyer.customer) == 50
    assert LedgerEntry.objects.filter(reason="recharge").count() == 1
    audit_money()


def test_a_part_that_is_asked_for_many_times_at_the_same_time_is_taken_once() -> None:
    buyer = Buyer()
    top_up(buyer.customer, 100)
    order = make_order(buyer)

    concurrently(lambda _: hold_from_wallet(order=order, amount=Decimal(2), pay_type="5"), range(16))

    assert wallet_of(buyer.customer) == 98
    assert order.payments.get().is_held
    audit_money()


def test_cancel_late_money_and_the_return_of_parts_meet_and_the_books_agree() -> None:
    buyer = Buyer()
    top_up(buyer.customer, 100)
    orders = [make_order(buyer, (make_stocked(), 2)) for _ in range(4)]
    for order in orders:
        assert pay(buyer, order, "5", password=PASSWORD, walletAmount=2)["code"] == 0
        decide(order.payments.get(pay_type="5"))

    def act(job: tuple[str, Order]) -> object:
        verb, order = job
        if verb == "notice":
            return send_notice(order.payments.get(pay_type="5"))
        if verb == "cancel":
            return cancel_order(customer=buyer.customer, order_no=order.order_no)
        return services.return_held_money()

    concurrently(
        act, [(verb, order) for order in orders for verb in ("cancel", "notice", "return", "notice")]
    )
    for order in orders:
        send_notice(order.payments.get(pay_type="5"))
    services.return_held_money()

    paid = sum(order.pay_amount for order in Order.objects.filter(status=OrderStatus.paid))
    parts = Order.objects.filter(status=OrderStatus.paid).count() * 2
    assert wallet_of(buyer.customer) == 100 - parts
    due = Refund.objects.filter(reason="order_canceled").aggregate(all=Sum("amount"))["all"] or 0
    assert paid + due == sum(order.pay_amount for order in orders) - (len(orders) * 2 - parts)
    audit_money()


def test_a_receipt_that_is_pressed_many_times_at_the_same_time_is_recorded_once() -> None:
    switch_on_pay_types()
    order, staff = make_order(Buyer()), User.objects.create(username="boss")
    seen = mark_of_receipts(order)

    def record(_: int) -> str:
        return services.record_payment(
            order=order, pay_type="transfer", amount=ONE, seen=seen, staff=staff, note="bank"
        ).state

    outcomes = Counter(concurrently(record, range(8)))

    assert outcomes == {"paid": 1, Err.order_moved: 7}
    assert order.payments.get().amount == 1
    audit_money()
