import re

import pytest
from django.test import Client
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, nothing_changes
from commerce.payments.models import Payment, PaymentEvent
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.tests.builders import make_payment, pay


class Browser:
    """A browser without cookies at the gateway's page of a payment."""

    def __init__(self, payment: Payment, prefix: str = "") -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.path = f"{prefix}/sandbox-pay/{payment.reference}"
        self.page = self.client.get(self.path)

    @property
    def text(self) -> str:
        return self.page.content.decode()

    def press(self, button: str, **fields: str) -> tuple[int, str]:
        """Press a button; returns the answer's status and its redirect."""
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', self.text))
        answer = self.client.post(self.path, hidden | {"outcome": button} | fields)
        return answer.status_code, answer.get("Location", "")


@pytest.fixture
def payment(transactional_db: None) -> Payment:
    return make_payment(Buyer())


def test_the_page_shows_the_amount_and_that_no_money_moves(payment: Payment) -> None:
    browser = Browser(payment)
    assert browser.page.status_code == 200
    assert "no-cache" in browser.page["Cache-Control"]
    assert not browser.page.cookies
    assert f"AUD {payment.amount}" in browser.text
    assert "This is a sandbox. No money moves." in browser.text
    assert re.findall(r'name="outcome" value="(\w+)"', browser.text) == ["paid", "declined", "left"]
    assert '<html lang="zh-Hans">' in Browser(payment, "/zh-hans").text


@pytest.mark.parametrize(("outcome", "state"), [("paid", "paid"), ("declined", "declined"), ("left", "open")])
def test_each_button_returns_to_the_shop(payment: Payment, outcome: str, state: str) -> None:
    assert Browser(payment).press(outcome) == (302, f"http://127.0.0.1:1/pay/return/{payment.reference}")
    assert SandboxCharge.objects.get().state == state
    # The notice is lost; the job asks (test_query.py).
    assert Order.objects.get().status == OrderStatus.unpaid


def test_leaving_the_page_changes_nothing_and_the_payment_can_be_continued(payment: Payment) -> None:
    with nothing_changes():
        Browser(payment).press("left")
    assert Browser(payment).press("paid")[0] == 302
    assert SandboxCharge.objects.get().state == "paid"


def test_a_form_that_the_page_did_not_make_is_refused(payment: Payment, subtests: pytest.Subtests) -> None:
    for fields in ({"proof": "x"}, {"proof": ""}, {"outcome": "free"}, {"outcome": ""}):
        with subtests.test(fields=fields):
            assert Browser(payment).press("paid", **fields)[0] == 400
            assert SandboxCharge.objects.get().state == "open"


def test_a_decision_is_final(payment: Payment) -> None:
    early = Browser(payment)
    Browser(payment).press("declined")
    assert early.press("paid")[0] == 302
    assert SandboxCharge.objects.get().state == "declined"
    decided = Browser(payment)
    assert "This payment was declined." in decided.text
    assert re.findall(r'name="outcome" value="(\w+)"', decided.text) == ["left"]


def test_an_unknown_charge_and_a_disabled_gateway_are_not_found(payment: Payment, settings: Settings) -> None:
    client = Client()
    assert client.get("/sandbox-pay/nothing-1").status_code == 404
    settings.SANDBOX_GATEWAY = False
    assert client.get(f"/sandbox-pay/{payment.reference}").status_code == 404
    assert client.post("/pay/notice/sandbox").status_code == 404


@pytest.mark.parametrize(
    ("outcome", "status", "state"),
    [("paid", OrderStatus.paid, "paid"), ("declined", OrderStatus.unpaid, "failed")],
)
def test_the_gateway_sends_its_notice_over_http(
    live_server: LiveServer,
    settings: Settings,
    outcome: str,
    status: OrderStatus,
    state: str,
) -> None:
    settings.SITE_URL = live_server.url
    buyer = Buyer()
    order = make_order(buyer)
    assert pay(buyer, order)["result"]["jumpUrl"].startswith(live_server.url)

    Browser(order.payments.get()).press(outcome)

    assert (Order.objects.get().status, Payment.objects.get().state) == (status, state)
    event = PaymentEvent.objects.get()
    assert event.body["state"] == outcome
    audit()
