"""The whole way of an order's money: to PayPal, back, and what its notices change."""

import json
from collections.abc import Mapping
from decimal import Decimal
from urllib.parse import urlsplit

import httpx
import pytest
from django.test import Client

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order, nothing_changes
from commerce.payments.models import Payment, PaymentEvent, Refund
from commerce.payments.providers import registry
from commerce.payments.providers.paypal import notices
from commerce.payments.providers.paypal.provider import PayPalProvider
from commerce.payments.services.refunds import request_refund, send_refunds
from commerce.payments.tests.builders import audit_money, let_looks_ask, make_pay_types, pay
from commerce.refused_notices.models import UnmatchedNotice
from core.tests.rows import rolled_back
from tools.fake_providers.paypal import FakePayPal
from tools.fake_providers.server import Trouble

pytestmark = pytest.mark.django_db


@pytest.fixture
def buyer(paypal: FakePayPal, provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch) -> Buyer:
    """A customer of a shop that collects by PayPal."""
    make_pay_types()
    monkeypatch.setattr(registry, "SANDBOX", provider)
    return Buyer()


def begun(buyer: Buyer) -> Payment:
    """Return the payment of an order whose customer is at PayPal's page."""
    order = make_order(buyer)
    assert pay(buyer, order, "Paypal")["code"] == 0
    return order.payments.get()


def come_back(payment: Payment, outcome: str) -> Order:
    """Press a button of PayPal's page and follow it back; returns the only order, as it is then."""
    back = urlsplit(httpx.post(payment.jump_url, data={"outcome": outcome}).headers["Location"])
    answer = Client().get(f"{back.path}?{back.query}")
    order = Order.objects.get()
    assert answer["Location"] == f"/home/payResult/{order.order_no}"
    return order


def notify(headers: Mapping[str, str], body: bytes) -> int:
    """Send the shop a notice; returns the HTTP status of its answer."""
    client = Client(enforce_csrf_checks=True)
    return client.generic(
        "POST", "/pay/notice/paypal", body, "application/json", headers=dict(headers)
    ).status_code


def test_an_order_is_paid_refunded_and_disputed_by_paypal(buyer: Buyer, paypal: FakePayPal) -> None:
    payment = begun(buyer)
    assert come_back(payment, "left").status == OrderStatus.unpaid
    let_looks_ask()
    assert come_back(payment, "paid").status == OrderStatus.paid
    payment.refresh_from_db()
    [capture] = paypal.of(payment.reference).captures
    assert (payment.state, payment.capture_ref) == ("paid", capture["id"])
    # Notices come late and more than once.
    assert [notify(*notice) for notice in [*paypal.events, *paypal.events]] == [200] * 4
    assert PaymentEvent.objects.count() == 2

    request_refund(payment=payment, amount=Decimal("1.00"), reason=Refund.Reason.order_refund)
    assert send_refunds() == 1
    refund = Refund.objects.get()
    [made] = paypal.of(payment.reference).refunds
    assert (refund.state, refund.provider_ref, made["amount"]["value"]) == ("done", made["id"], "1.00")
    audit_money()

    paypal.dispute(payment.reference)
    genuine, [dispute] = paypal.events[-1], paypal.disputes.values()
    # A signature alone is not believed: PayPal is asked.
    paypal.cause(Trouble.error)
    assert notify(*genuine) == 503
    made_up = json.loads(genuine[1])
    made_up["id"], made_up["resource"]["dispute_id"] = "WH-2", "PP-D-0"
    assert notify(*paypal.signed(json.dumps(made_up).encode())) == 400
    about, dispute["disputed_transactions"] = dispute["disputed_transactions"], []
    assert notify(*genuine) == 400
    dispute |= {"disputed_transactions": about, "status": "RESOLVED"}
    assert notify(*genuine) == 200
    assert Order.objects.get().status == OrderStatus.paid
    dispute["status"] = "OPEN"
    assert notify(*genuine) == 200
    assert Order.objects.get().status == OrderStatus.chargeback


def test_a_dispute_that_names_the_capture_alone_finds_its_order(
    buyer: Buyer, paypal: FakePayPal, subtests: pytest.Subtests
) -> None:
    payment = begun(buyer)
    come_back(payment, "paid")
    paypal.dispute(payment.reference, names_capture_only=True)
    payment.refresh_from_db()
    genuine, [dispute] = paypal.events[-1], paypal.disputes.values()
    with subtests.test("of another capture"), rolled_back():
        Payment.objects.update(capture_ref="ANOTHER")
        with nothing_changes(but=[UnmatchedNotice]):
            assert notify(*genuine) == 200
        assert UnmatchedNotice.objects.get().named == payment.capture_ref
    with subtests.test("PayPal names another capture"), rolled_back():
        transactions, dispute["disputed_transactions"] = dispute["disputed_transactions"], []
        assert notify(*genuine) == 400
        assert Order.objects.get().status == OrderStatus.paid
        dispute["disputed_transactions"] = transactions
    assert notify(*genuine) == 200
    assert Order.objects.get().status == OrderStatus.chargeback


def test_a_notice_of_a_refund_that_names_no_payment_finds_it_by_the_refund(
    buyer: Buyer, paypal: FakePayPal
) -> None:
    payment = begun(buyer)
    come_back(payment, "paid")
    request_refund(payment=payment, amount=Decimal("1.00"), reason=Refund.Reason.order_refund)
    assert send_refunds() == 1
    event = json.loads(paypal.events[-1][1])
    resource = event["resource"]
    for number, name in enumerate(("custom_id", "invoice_id")):
        del resource[name]
        event["id"] = f"WH-{number}"
        assert notify(*paypal.signed(json.dumps(event).encode())) == 200
        assert PaymentEvent.objects.get(event_id=event["id"]).payment.reference == payment.reference


def test_a_notice_alone_makes_the_shop_collect(
    buyer: Buyer, paypal: FakePayPal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "FETCH_INTERVAL_SECONDS", 0)
    payment = begun(buyer)
    paypal.approve(payment.reference)
    headers, body = paypal.events[-1]
    forged = json.dumps({**json.loads(body), "event_type": "PAYMENT.CAPTURE.COMPLETED"}).encode()
    with nothing_changes():
        assert notify(headers, forged) == 400
    assert notify(headers, body) == 200
    assert Order.objects.get().status == OrderStatus.paid


def test_money_of_an_order_that_ended_is_not_collected(buyer: Buyer, paypal: FakePayPal) -> None:
    payment = begun(buyer)
    assert buyer.send("PUT", f"/order/cancel/{Order.objects.get().order_no}")["code"] == 0
    assert come_back(payment, "paid").status == OrderStatus.canceled
    assert notify(*paypal.events[-1]) == 200
    assert paypal.of(payment.reference).captures == []
