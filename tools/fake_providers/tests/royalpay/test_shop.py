"""A whole purchase: the shop, the fake of RoyalPay and a customer's browser, over HTTP."""

from decimal import Decimal
from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import LazySettings
from django.db import transaction
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order
from commerce.payments.models import Payment, PaymentEvent, Refund
from commerce.payments.providers import registry
from commerce.payments.providers.royalpay import RoyalPayProvider
from commerce.payments.services.refunds import request_refund, send_refunds
from commerce.payments.tests.builders import audit_money, pay
from tools.fake_providers.royalpay import FakeRoyalPay


@pytest.fixture
def jump_url(
    fake: FakeRoyalPay, live_server: LiveServer, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> str:
    """The address of the page at which a new order is paid by card."""
    monkeypatch.setattr(registry, "SANDBOX", RoyalPayProvider())
    settings.SITE_URL = live_server.url
    buyer = Buyer()
    return str(pay(buyer, make_order(buyer))["result"]["jumpUrl"])


def come_back(jump_url: str, outcome: str) -> str:
    """Press a button on RoyalPay's page and go back to the shop; returns the path of the page there."""
    back = httpx.post(jump_url, data={"outcome": outcome}).headers["Location"]
    return urlsplit(httpx.get(back).headers["Location"]).path


def test_who_pays_on_the_page_comes_back_to_a_paid_order(fake: FakeRoyalPay, jump_url: str) -> None:
    payment = Payment.objects.get()
    assert (payment.provider, payment.provider_ref) == ("royalpay", fake.orders[payment.reference].number)
    assert come_back(jump_url, "paid") == f"/home/payResult/{payment.number}"
    assert Order.objects.get().status == OrderStatus.paid
    audit_money()


def test_a_notice_makes_the_shop_ask_however_often_it_comes(fake: FakeRoyalPay, jump_url: str) -> None:
    payment = Payment.objects.get()
    assert not fake.send(payment.reference, fake.notice_of(payment.reference, forged=True))
    assert not fake.send(payment.reference, fake.notice_of(payment.reference, age_seconds=600))
    assert fake.notify(payment.reference)
    # It was not paid, also if the notice claims it.
    assert Order.objects.get().status == OrderStatus.unpaid
    fake.pay(payment.reference)
    assert fake.notify(payment.reference, times=3)
    assert Order.objects.get().status == OrderStatus.paid
    assert PaymentEvent.objects.count() == 2
    audit_money()


def test_a_notice_that_names_royalpays_order_alone_finds_its_payment(
    fake: FakeRoyalPay, jump_url: str
) -> None:
    payment = Payment.objects.get()
    fake.pay(payment.reference)
    body = fake.notice_of(payment.reference, partner_order_id="")
    assert fake.send(payment.reference, body)
    assert PaymentEvent.objects.get().payment == payment
    assert Order.objects.get().status == OrderStatus.paid


def test_who_is_declined_may_pay_again(fake: FakeRoyalPay, jump_url: str) -> None:
    come_back(jump_url, "declined")
    assert (Order.objects.get().status, Payment.objects.get().state) == (OrderStatus.unpaid, "failed")
    fake.pay(Payment.objects.get().reference)
    Payment.objects.update(queried_at=None)
    come_back(jump_url, "left")
    assert (Order.objects.get().status, Payment.objects.get().state) == (OrderStatus.paid, "paid")
    audit_money()


def test_money_goes_back_in_parts_and_is_asked_about_until_it_has(fake: FakeRoyalPay, jump_url: str) -> None:
    come_back(jump_url, "paid")
    payment = Payment.objects.get()
    fake.refund_status = "WAITING"
    with transaction.atomic():
        refund = request_refund(
            payment=payment, amount=Decimal("1.50"), reason=Refund.Reason.order_refund, to=Refund.To.source
        )
    send_refunds()
    assert Refund.objects.get().state == Refund.State.sending
    fake.set_refund(payment.reference, refund.reference, "FINISHED")
    Refund.objects.update(next_query_at=timezone.now())
    send_refunds()
    assert Refund.objects.get().state == Refund.State.done
    assert [each.fee for each in fake.orders[payment.reference].refunds.values()] == [150]
    assert fake.orders[payment.reference].status == "PARTIAL_REFUND"
    audit_money()
