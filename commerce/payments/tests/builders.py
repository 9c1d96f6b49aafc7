"""Builders of payments for tests."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from importlib import import_module
from typing import Any
from unittest.mock import Mock

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from commerce.delivery.models import DeliverySlot
from commerce.ledger.audit import differences as wallet_differences
from commerce.orders.models import Order
from commerce.orders.tests.builders import Answer, Buyer, make_order
from commerce.payments.audit import differences as payment_differences
from commerce.payments.hold_times import COLLECTED_BY_STAFF
from commerce.payments.models import Certificate, Payment, PayType, Recharge
from commerce.payments.providers import slots
from commerce.payments.providers.base import UnavailableError
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.providers.sandbox.signing import signed_headers
from commerce.payments.services import refresh_payment
from commerce.payments.services.pay import BUSY_RETRY_SECONDS
from core.ids import new_secret

NOTICE = "/pay/notice/sandbox"


def make_pay_types() -> None:
    """Create the pay types of the migration, which a test that empties the tables deletes."""
    import_module("commerce.payments.migrations.0001_initial").add_pay_types(apps, None)


def switch_on_pay_types() -> None:
    """Switch on the pay types whose money staff record, which are off in a new shop."""
    PayType.objects.filter(code__in=COLLECTED_BY_STAFF).update(enabled=True)


def make_van_order(buyer: Buyer, days: int = 2) -> Order:
    """Make an order that the van delivers in a window of its own, so that it can be paid in cash.

    `days`: until the window begins.
    """
    order = make_order(buyer)
    starts_at = timezone.now().replace(microsecond=0) + timedelta(days=days, minutes=order.pk)
    window = DeliverySlot.objects.create(
        starts_at=starts_at, ends_at=starts_at + timedelta(hours=2), capacity=1, booked=1
    )
    Order.objects.filter(pk=order.pk).update(delivery_slot=window, delivery_until=window.ends_at)
    order.refresh_from_db()
    return order


def audit_money() -> None:
    """Assert that payments and wallets agree, whatever has asked for the refunds among them."""
    assert not [*payment_differences(), *wallet_differences()]


def pay(buyer: Buyer, order: Order, pay_type: str = "5", **kw: Any) -> Answer:
    """Call order/pay."""
    return buyer.send("POST", "/order/pay", {"orderNo": order.order_no, "payType": pay_type, **kw})


def result_of(buyer: Buyer, order: Order | Recharge) -> Any:
    """Call pay/result; returns its result."""
    return buyer.send("GET", f"/pay/result/{order}")["result"]


def make_recharge(buyer: Buyer, amount: str = "50.00", **kw: Any) -> Recharge:
    """Begin a top-up through the API, at the sandbox gateway."""
    body = {"rechargeAmount": amount, "source": "web", **kw}
    answer = buyer.client.post("/api/v1/recharge", body, "application/json").json()
    return Recharge.objects.get(number=answer["result"]["rechargeNo"])


def make_payment(buyer: Buyer, order: Order | None = None, pay_type: str = "5") -> Payment:
    """Start to pay an order, by default a new one, at the sandbox gateway."""
    order = order or make_order(buyer)
    assert pay(buyer, order, pay_type)["code"] == 0
    return order.payments.get(pay_type=pay_type, state=Payment.State.pending)


def decide(payment: Payment, state: SandboxCharge.State = SandboxCharge.State.paid, **kw: Any) -> None:
    """Set the outcome of a payment at the gateway, without a notice."""
    SandboxCharge.objects.filter(reference=payment.reference).update(state=state, **kw)


def make_collected(buyer: Buyer, order: Order | None = None, pay_type: str = "5") -> Payment:
    """Start a payment that the gateway then collects; the shop has not heard of it."""
    payment = make_payment(buyer, order, pay_type)
    decide(payment)
    return payment


def make_declined(buyer: Buyer, order: Order | None = None, pay_type: str = "5") -> Payment:
    """Start a payment that the gateway then declines; the shop has not heard of it."""
    payment = make_payment(buyer, order, pay_type)
    decide(payment, SandboxCharge.State.declined)
    return payment


def make_paid_payment(buyer: Buyer, order: Order | None = None) -> Payment:
    """Make a payment that the gateway has collected and the shop has settled."""
    payment = make_collected(buyer, order)
    refresh_payment(payment=payment)
    payment.refresh_from_db()
    assert payment.state == Payment.State.paid
    return payment


def collect(payment: Payment) -> None:
    """Let the gateway collect a payment and send its notice."""
    decide(payment)
    assert send_notice(payment) == 200


@contextmanager
def gateway_does(name: str, work: Any) -> Iterator[None]:
    """Replace a method of the gateway."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(SandboxProvider, name, work)
        yield


def unreachable() -> Any:
    """Make the gateway refuse to answer."""
    return gateway_does("query", Mock(side_effect=UnavailableError("no route")))


@contextmanager
def busy_gateway() -> Iterator[None]:
    """Let others use the gateway as much as it may be used, for longer than anyone waits."""
    with pytest.MonkeyPatch.context() as patched, ExitStack() as others:
        patched.setattr(slots, "SLOT_TIMEOUT_SECONDS", 0.01)
        for name in ("one", "two"):
            others.enter_context(slots.gateway_slot(name))
        yield


def pay_in_vain(buyer: Buyer, order: Order) -> None:
    """Call order/pay, which asks to try again a little later."""
    body = {"orderNo": order.order_no, "payType": "5"}
    answer = buyer.client.post("/api/v1/pc/order/pay", body, "application/json")
    assert (answer.status_code, answer.json()["reason"]) == (429, "too_frequent")
    assert answer.headers["Retry-After"] == str(BUSY_RETRY_SECONDS)


def let_looks_ask() -> None:
    """Let the next look ask about every payment, as if the last question were long ago."""
    Payment.objects.update(queried_at=None)


def send_notice(
    payment: Payment, *, event: str = "", headers: dict[str, str] | None = None, **kw: Any
) -> int:
    """Send the shop a signed notice; returns the HTTP status of the answer."""
    body = json.dumps({"reference": payment.reference, "state": "paid", **kw}).encode()
    signed = signed_headers(event or f"{payment.reference}-paid", body) | (headers or {})
    response = Client(enforce_csrf_checks=True).generic(
        "POST", NOTICE, body, "application/json", headers=signed
    )
    return response.status_code


def prove(buyer: Buyer, order: Order, **fields: Any) -> Certificate:
    """Prove the transfer that an order was to be paid by, by a picture of which only the row is there."""
    Order.objects.filter(pk=order.pk).update(pay_type="transfer")
    certificate = Certificate.objects.create(customer=buyer.customer, name=new_secret(), **fields)
    body = {"imgUrl": f"/pay/certificate/{certificate.name}", "orderNo": order.order_no}
    assert buyer.send("POST", "/savePayCertificates", body)["code"] == 0
    certificate.refresh_from_db()
    return certificate
