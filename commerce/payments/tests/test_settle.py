from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client
from django.utils import timezone

from catalog.stock.models import StockLevel
from commerce.accounts.tests.builders import PASSWORD
from commerce.orders.models import Order
from commerce.orders.services import expire_due_orders
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    make_order,
    make_stocked,
    nothing_changes,
    top_up,
)  # fmt: skip
from commerce.payments.models import Payment, PaymentEvent, Refund
from commerce.payments.providers.base import Outcome
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.services import refresh_payment
from commerce.payments.tests.builders import (
    busy_gateway,
    collect,
    decide,
    make_collected,
    make_payment,
    pay,
    send_notice,
)
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def status_of(order: Order) -> OrderStatus:
    return OrderStatus(Order.objects.get(pk=order.pk).status)


def test_a_notice_makes_the_shop_ask_the_gateway_and_pays_the_order_once(buyer: Buyer) -> None:
    payment = make_collected(buyer)
    assert send_notice(payment) == 200
    assert status_of(payment.paid_order) == OrderStatus.paid
    with nothing_changes():
        assert send_notice(payment) == 200
    payment.refresh_from_db()
    assert payment.settled_at is not None
    # What arrived is noted apart only where it differs.
    assert (payment.received_amount, payment.received_currency) == (None, "")
    event = PaymentEvent.objects.get()
    found = (event.payment, event.provider, event.event_id)
    assert found == (payment, "sandbox", f"{payment.reference}-paid")
    audit()


def test_what_a_notice_claims_is_not_trusted(buyer: Buyer) -> None:
    payment = make_payment(buyer)
    assert send_notice(payment, state="paid", amount="0.01") == 200
    assert status_of(payment.paid_order) == OrderStatus.unpaid
    assert Payment.objects.get().state == Payment.State.pending


def test_another_amount_or_currency_is_captured_as_what_it_is_and_due_back(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    payment = make_payment(buyer)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"amount": Decimal("0.01")}, "wrong_amount"),
        ({"amount": Decimal("99.00")}, "wrong_amount"),
        ({"currency": "CNY"}, "wrong_currency"),
        ({"amount": Decimal("66.00"), "currency": "CNY"}, "wrong_currency"),
    ]
    for wrong, reason in cases:
        with subtests.test(wrong=wrong, reason=reason), rolled_back():
            amount, currency = wrong.get("amount", payment.amount), wrong.get("currency", "AUD")
            decide(payment, **wrong)
            assert send_notice(payment) == 200

            payment.refresh_from_db()
            assert payment.state == Payment.State.paid
            assert (payment.received_amount, payment.received_currency) == (amount, currency)
            refund = Refund.objects.get()
            assert (refund.payment, refund.amount, refund.currency) == (payment, amount, currency)
            assert (refund.reason, refund.state) == (reason, "due")
            assert status_of(payment.paid_order) == OrderStatus.unpaid
            audit()
            detail = buyer.send("GET", f"/order/detailed/{payment.paid_order.order_no}")["result"]
            for row in (*detail["payments"], *detail["refunds"]):
                assert (row["amount"], row["currency"]) == (float(amount), currency)

            # A repeated notice counts once, and the order can be paid again.
            with nothing_changes():
                assert send_notice(payment) == 200
                refresh_payment(payment=payment)
            collect(make_payment(buyer, payment.paid_order))
            assert status_of(payment.paid_order) == OrderStatus.paid
            assert Refund.objects.get() == refund
            audit()


def test_money_of_three_decimals_is_rounded_half_up(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    payment = make_payment(buyer)
    for collected, received in (("8.985", "8.99"), ("8.984", "8.98"), ("9999999999.99", "9999999999.99")):
        with subtests.test(collected=collected, received=received), rolled_back():
            outcome = Outcome(Payment.State.paid, payment.reference, Decimal(collected), "KWD")
            monkeypatch.setattr(SandboxProvider, "query", Mock(return_value=outcome))
            assert send_notice(payment) == 200
            assert Payment.objects.get().received_amount == Decimal(received)
            assert Refund.objects.get().amount == Decimal(received)
            audit()


def test_the_money_of_one_order_does_not_pay_another(buyer: Buyer) -> None:
    mine, other = make_payment(buyer), make_payment(Buyer())
    decide(other)
    assert send_notice(mine) == 200
    found = (status_of(mine.paid_order), status_of(other.paid_order))
    assert found == (OrderStatus.unpaid, OrderStatus.unpaid)


def test_a_returning_customer_sees_the_result_in_their_language(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    payment = make_payment(buyer)
    for language, prefix in (("en", ""), ("zh-hans", "/zh-hans")):
        with subtests.test(language=language, prefix=prefix), rolled_back():
            Payment.objects.update(language=language)
            decide(payment)
            response = Client().get(f"/pay/return/{payment.reference}")
            found = (response.status_code, response["Location"])
            assert found == (302, f"{prefix}/home/payResult/{payment.paid_order.order_no}")
            assert status_of(payment.paid_order) == OrderStatus.paid


def test_returning_alone_pays_nothing(buyer: Buyer) -> None:
    payment = make_payment(buyer)
    with nothing_changes(but=[Payment]):
        assert Client().get(f"/pay/return/{payment.reference}?paid=1&status=paid").status_code == 302
        assert Client().get("/pay/return/nothing-1").status_code == 404
    payment.refresh_from_db()
    assert payment.state == Payment.State.pending


def test_with_a_busy_gateway_notices_are_sent_again_and_customers_still_return(buyer: Buyer) -> None:
    payment = make_collected(buyer)
    with busy_gateway():
        assert send_notice(payment) == 503
        assert Client().get(f"/pay/return/{payment.reference}").status_code == 302
    assert status_of(payment.paid_order) == OrderStatus.unpaid
    assert send_notice(payment) == 200
    assert status_of(payment.paid_order) == OrderStatus.paid


def test_money_for_a_canceled_order_reopens_it_while_its_products_are_in_stock(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    payment = make_payment(buyer)
    for end in ("cancel", "expire"):
        with subtests.test(end=end), rolled_back():
            cancel(buyer, payment.paid_order, end)
            collect(payment)
            assert status_of(payment.paid_order) == OrderStatus.paid
            assert StockLevel.objects.get().reserved == 2
            assert not Refund.objects.exists()
            audit()


def test_money_for_an_order_whose_products_are_sold_out_is_a_refund_due(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    rice = make_stocked(2)
    payment = make_payment(buyer, make_order(buyer, (rice, 2)))
    for end in ("cancel", "expire"):
        with subtests.test(end=end), rolled_back():
            cancel(buyer, payment.paid_order, end)
            make_order(Buyer(), (rice, 1))
            collect(payment)
            assert status_of(payment.paid_order) == OrderStatus.canceled
            refund = Refund.objects.get()
            assert (refund.payment, refund.amount, refund.state) == (payment, payment.amount, "due")
            assert refund.reason == "order_canceled"
            assert StockLevel.objects.get().reserved == 1
            detail = buyer.send("GET", f"/order/detailed/{payment.paid_order.order_no}")["result"]
            assert [(row["amount"], row["status"]) for row in detail["refunds"]] == [
                (float(payment.amount), "due")
            ]
            audit()


def cancel(buyer: Buyer, order: Order, end: str) -> None:
    if end == "cancel":
        buyer.send("PUT", f"/order/cancel/{order.order_no}")
    else:
        Order.objects.filter(pk=order.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
        assert expire_due_orders() == 1


def test_a_second_real_payment_is_a_refund_due(buyer: Buyer, subtests: pytest.Subtests) -> None:
    top_up(buyer.customer)
    order = make_order(buyer)
    late = make_payment(buyer, order, "2")
    for first in ("5", "0"):
        with subtests.test(first=first), rolled_back():
            if first == "0":
                pay(buyer, order, "0", password=PASSWORD)
            else:
                collect(make_payment(buyer, order, first))
            collect(late)
            assert [(row.payment, row.reason) for row in Refund.objects.all()] == [(late, "paid_twice")]
            assert Order.objects.get().pay_type == first
            audit()


def test_a_decline_after_the_money_undoes_nothing(buyer: Buyer) -> None:
    payment = make_collected(buyer)
    send_notice(payment)
    decide(payment, SandboxCharge.State.declined)
    with nothing_changes(but=[PaymentEvent]):
        refresh_payment(payment=payment)
