"""Payments at PayPal: begun, approved, collected once, in every state (docs/paypal.md#states)."""

import time
from decimal import Decimal
from typing import Any

import pytest
from django.conf import LazySettings

from commerce.payments.models import Payment
from commerce.payments.providers.base import Device, Started, UnavailableError
from commerce.payments.providers.paypal import client
from commerce.payments.providers.paypal import provider as provider_module
from commerce.payments.providers.paypal.provider import PayPalProvider
from commerce.payments.providers.slots import gateway_slot
from core.gateways import MAX_FAILURES
from tools.fake_providers.paypal import ORDERS, SECRET, FakePayPal
from tools.fake_providers.server import Trouble
from tools.fake_providers.tests.paypal.builders import (
    REFERENCE,
    SITE,
    collected,
    paid,
    started,
    state_of,
)


@pytest.fixture
def payment(paypal: FakePayPal, provider: PayPalProvider) -> Payment:
    """A payment that has begun."""
    return started(provider)


@pytest.fixture
def approved(paypal: FakePayPal, payment: Payment) -> Payment:
    """A payment that its payer has approved."""
    paypal.approve(REFERENCE)
    return payment


def calls(paypal: FakePayPal, end: str) -> int:
    """Count the calls of a path with this end."""
    return sum(line.endswith(end) for line in str(paypal.conversation).splitlines() if "→" in line)


def test_a_payment_begins_with_an_order_of_its_reference_and_amount(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    payment = started(provider, language="zh-hans")
    [order] = paypal.orders.values()
    assert payment.provider_ref == order.id
    assert payment.jump_url == f"{paypal.url}/checkoutnow?token={order.id}"
    assert order.unit == {
        "reference_id": REFERENCE,
        "custom_id": REFERENCE,
        "invoice_id": REFERENCE,
        "amount": {"currency_code": "AUD", "value": "25.90"},
    }
    assert order.return_url == order.cancel_url == f"{SITE}/pay/return/{REFERENCE}"
    assert '"locale": "zh-CN"' in str(paypal.conversation)


def test_refusals_leave_paypal_to_everyone_else_and_failures_do_not(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    refusals = [(422, "UNPROCESSABLE_ENTITY"), (403, "NOT_AUTHORIZED"), (429, "RATE_LIMIT_REACHED")]
    for status, name in refusals * MAX_FAILURES:
        paypal.refuse(ORDERS, "ISSUE", status, name)
        with pytest.raises(UnavailableError), gateway_slot("paypal"):
            started(provider)
    with gateway_slot("paypal"):
        started(provider)
    paypal.cause(Trouble.error, times=MAX_FAILURES)
    for _ in range(MAX_FAILURES):
        with pytest.raises(UnavailableError), gateway_slot("paypal"):
            started(provider)
    with pytest.raises(UnavailableError, match="too often"), gateway_slot("paypal"):
        started(provider)


def test_a_payment_that_begins_again_links_to_the_same_order(
    paypal: FakePayPal, provider: PayPalProvider, payment: Payment
) -> None:
    assert started(PayPalProvider()).jump_url == payment.jump_url
    # Long after, PayPal would make another order for the same id of a request.
    paypal.forget_requests()
    again = provider.start(payment=payment, site_url=SITE, device=Device.phone)
    assert again == Started(payment.jump_url, payment.provider_ref)
    assert len(paypal.orders) == 1


def test_an_order_whose_answer_was_lost_is_made_once(paypal: FakePayPal, provider: PayPalProvider) -> None:
    paypal.troubled = ORDERS
    paypal.cause(Trouble.lost)
    assert started(provider).provider_ref in paypal.orders
    assert len(paypal.orders) == 1


@pytest.mark.parametrize("rel", ["payer-action", "approve"])
@pytest.mark.parametrize(
    ("link", "is_theirs"),
    [
        ("https://www.paypal.com/checkoutnow?token=1", True),
        ("https://www.sandbox.paypal.com/checkoutnow?token=1", True),
        ("http://www.paypal.com/checkoutnow", False),
        ("https://paypal.com.example/checkoutnow", False),
        ("https://notpaypal.com/checkoutnow", False),
        ("https://www.paypal.com@example.com/", False),
        ("https://example.com\\.paypal.com/", False),
        ("https://www.paypal.com:8443/", False),
        ("javascript:alert(1)//www.paypal.com", False),
        ("https://[", False),
        ("https://www.paypal.com/\nx", False),
        ("https://www.paypal.com/" + "a" * 500, False),
        (None, False),
    ],
)
def test_a_payer_is_sent_to_pages_of_paypal_only(
    settings: LazySettings, link: Any, is_theirs: bool, rel: str
) -> None:
    settings.PAYPAL_URL = "https://api-m.paypal.com"
    order = {"links": [{"rel": "self", "href": "https://api-m.paypal.com/"}, {"rel": rel, "href": link}]}
    if is_theirs:
        assert provider_module._payers_link(order) == link
    else:
        with pytest.raises(UnavailableError):
            provider_module._payers_link(order)


def test_a_payment_that_never_got_an_order_is_not_known_and_no_one_is_asked(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    assert provider.query(payment=Payment(reference=REFERENCE), may_collect=True) is None
    assert str(paypal.conversation) == ""


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("CREATED", "pending"),
        ("SAVED", "pending"),
        ("PAYER_ACTION_REQUIRED", "pending"),
        ("VOIDED", "failed"),
    ],
)
def test_each_status_of_an_order_has_a_meaning(
    paypal: FakePayPal, provider: PayPalProvider, status: str, state: str, payment: Payment
) -> None:
    paypal.of(REFERENCE).status = status
    assert state_of(provider, payment) == state
    assert calls(paypal, "/capture") == 0


def test_an_approved_order_is_collected_and_its_capture_is_what_refunds_need(
    paypal: FakePayPal, provider: PayPalProvider, approved: Payment
) -> None:
    outcome = provider.query(payment=approved, may_collect=True)
    [capture] = paypal.of(REFERENCE).captures
    assert outcome == paid(approved, capture["id"])
    assert provider.query(payment=approved, may_collect=True) == outcome
    assert calls(paypal, "/capture") == 1


def test_an_approved_order_is_left_alone_where_the_shop_takes_no_money(
    paypal: FakePayPal, provider: PayPalProvider, approved: Payment
) -> None:
    assert state_of(provider, approved, may_collect=False) == "pending"
    assert paypal.of(REFERENCE).captures == []
    assert calls(paypal, "/capture") == 0


def test_a_capture_whose_answer_was_lost_is_made_once(
    paypal: FakePayPal, provider: PayPalProvider, approved: Payment
) -> None:
    paypal.troubled = "/capture"
    paypal.cause(Trouble.lost)
    assert state_of(provider, approved) == "paid"
    assert len(paypal.of(REFERENCE).captures) == 1


def test_a_capture_that_was_never_answered_is_found_by_the_next_question(
    paypal: FakePayPal, provider: PayPalProvider, approved: Payment
) -> None:
    paypal.troubled = "/capture"
    paypal.cause(Trouble.lost, 2)
    with pytest.raises(UnavailableError):
        provider.query(payment=approved, may_collect=True)
    # Also where the order takes no money any more by then.
    assert state_of(provider, approved, may_collect=False) == "paid"
    assert len(paypal.of(REFERENCE).captures) == 1


def test_an_order_that_was_collected_in_the_meantime_is_read_again(
    paypal: FakePayPal, provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch, approved: Payment
) -> None:
    first = client.Session.post

    def late(session: client.Session, path: str, body: Any, *, request_id: str) -> Any:
        first(session, path, body, request_id="another question")
        return first(session, path, body, request_id=request_id)

    monkeypatch.setattr(client.Session, "post", late)
    assert state_of(provider, approved) == "paid"
    assert "ORDER_ALREADY_CAPTURED" in str(paypal.conversation)


def test_a_payer_whose_card_is_declined_may_pay_with_another(
    paypal: FakePayPal, provider: PayPalProvider, payment: Payment
) -> None:
    paypal.approve(REFERENCE, declined=True)
    assert state_of(provider, payment) == "pending"
    assert "INSTRUMENT_DECLINED" in str(paypal.conversation)
    assert state_of(provider, payment) == "pending"
    paypal.approve(REFERENCE)
    assert state_of(provider, payment) == "paid"


@pytest.mark.parametrize(
    ("issue", "state"),
    [
        ("ORDER_NOT_APPROVED", "pending"),
        ("REDIRECT_PAYER_FOR_ALTERNATE_FUNDING", "pending"),
        ("TRANSACTION_REFUSED", "failed"),
        ("PAYER_CANNOT_PAY", "failed"),
        ("DUPLICATE_INVOICE_ID", "failed"),
    ],
)
def test_a_capture_that_is_refused_collects_nothing(
    paypal: FakePayPal, provider: PayPalProvider, issue: str, state: str, approved: Payment
) -> None:
    paypal.refuse("/capture", issue)
    assert state_of(provider, approved) == state


@pytest.mark.parametrize(
    ("capture", "state"),
    [("PENDING", "pending"), ("DECLINED", "failed"), ("FAILED", "failed"), ("REFUNDED", "failed")],
)
def test_a_completed_order_is_paid_only_by_a_completed_capture(
    paypal: FakePayPal, provider: PayPalProvider, capture: str, state: str, approved: Payment
) -> None:
    paypal.capture_status = capture
    assert state_of(provider, approved) == state
    assert paypal.of(REFERENCE).status == "COMPLETED"
    assert state_of(provider, approved) == state


def test_a_pending_capture_that_is_completed_later_is_paid(
    paypal: FakePayPal, provider: PayPalProvider, approved: Payment
) -> None:
    paypal.capture_status = "PENDING"
    assert state_of(provider, approved) == "pending"
    paypal.decide_capture(REFERENCE, "COMPLETED")
    assert state_of(provider, approved, may_collect=False) == "paid"


def test_what_was_collected_is_notified_as_it_is(paypal: FakePayPal, provider: PayPalProvider) -> None:
    payment = collected(provider, paypal)
    paypal.of(REFERENCE).captures[0]["amount"] = {"currency_code": "USD", "value": "20.00"}
    outcome = provider.query(payment=payment, may_collect=True)
    assert outcome
    assert (outcome.state, outcome.amount, outcome.currency) == ("paid", Decimal("20.00"), "USD")


@pytest.mark.parametrize(
    "change",
    [
        lambda order: order.unit.update(custom_id="2026112600002-1"),
        lambda order: order.captures.clear(),
        lambda order: order.captures.append(order.captures[0]),
        lambda order: order.captures[0].update(status="PARTIALLY_REFUNDED"),
        lambda order: setattr(order, "status", "SHIPPED"),
        lambda order: order.captures[0].update(amount={"currency_code": "AUD", "value": "NaN"}),
    ],
)
def test_what_cannot_be_about_this_payment_is_no_answer(
    paypal: FakePayPal, provider: PayPalProvider, change: Any
) -> None:
    payment = collected(provider, paypal)
    change(paypal.of(REFERENCE))
    with pytest.raises(UnavailableError):
        provider.query(payment=payment, may_collect=True)


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (404, "NO_SUCH_PATH"),
        (403, "NOT_AUTHORIZED"),
        (409, "CONFLICT"),
        (429, "RATE_LIMIT_REACHED"),
        (400, "X"),
    ],
)
def test_a_refusal_that_does_not_mention_the_payment_is_no_answer(
    paypal: FakePayPal, provider: PayPalProvider, status: int, name: str, payment: Payment
) -> None:
    paypal.refuse(payment.provider_ref, "ISSUE", status, name)
    with pytest.raises(UnavailableError):
        provider.query(payment=payment, may_collect=True)


@pytest.mark.parametrize("trouble", [Trouble.error, Trouble.garbage, Trouble.lost])
def test_while_paypal_fails_nothing_is_known(
    paypal: FakePayPal, provider: PayPalProvider, trouble: Trouble, payment: Payment
) -> None:
    paypal.cause(trouble, 2)
    with pytest.raises(UnavailableError):
        provider.query(payment=payment, may_collect=True)
    if trouble != Trouble.lost:
        paypal.take_trouble()
    assert state_of(provider, payment) == "pending"


@pytest.mark.parametrize("trouble", [Trouble.slow, Trouble.drip])
def test_an_answer_that_takes_too_long_ends_within_the_bound(
    paypal: FakePayPal, provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch, trouble: Trouble
) -> None:
    payment = started(provider)
    monkeypatch.setattr(provider_module, "WORK_SECONDS", 0.3)
    paypal.slow_seconds, paypal.drip_seconds = 30, 0.1
    paypal.cause(trouble)
    begun = time.monotonic()
    with pytest.raises(UnavailableError):
        provider.query(payment=payment, may_collect=True)
    # Far less than the answer would take.
    assert time.monotonic() - begun < 20


def test_a_closed_port_is_no_answer(settings: LazySettings, provider: PayPalProvider) -> None:
    settings.PAYPAL_URL = "http://127.0.0.1:1"
    with pytest.raises(UnavailableError):
        started(provider)


def test_an_answer_of_any_size_is_not_read_to_its_end(
    provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch, payment: Payment
) -> None:
    monkeypatch.setattr(client, "MAX_BYTES", 100)
    with pytest.raises(UnavailableError, match="too large"):
        provider.query(payment=payment, may_collect=True)


def test_a_token_serves_until_it_ends_and_is_renewed_once_when_it_was_withdrawn(
    paypal: FakePayPal, provider: PayPalProvider, payment: Payment
) -> None:
    assert state_of(provider, payment) == "pending"
    assert len(paypal.tokens) == 1
    paypal.tokens.clear()
    assert state_of(provider, payment) == "pending"
    assert len(paypal.tokens) == 1
    # It ends within the margin, so the next question needs another.
    paypal.token_seconds = client.TOKEN_MARGIN_SECONDS
    paypal.tokens.clear()
    assert [state_of(provider, payment) for _ in range(2)] == ["pending"] * 2
    assert len(paypal.tokens) == 2


def test_a_wrong_secret_is_not_logged(
    paypal: FakePayPal, provider: PayPalProvider, settings: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.PAYPAL_SECRET = "a-secret-of-ours"
    with pytest.raises(UnavailableError) as refused:
        started(provider)
    assert "PayPal gives no token: status 401, invalid_client" in caplog.messages
    logged = "".join(
        [caplog.text, repr(refused.value), repr(refused.value.__cause__), str(paypal.conversation)]
    )
    assert "a-secret-of-ours" not in logged
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


def test_no_token_is_in_logs_or_in_the_conversation(
    paypal: FakePayPal, provider: PayPalProvider, caplog: pytest.LogCaptureFixture
) -> None:
    collected(provider, paypal)
    [token] = paypal.tokens
    assert token not in caplog.text + str(paypal.conversation)
    assert SECRET not in caplog.text + str(paypal.conversation)
    # What a developer reads when a test fails.
    assert f"→ POST {ORDERS}\n" in str(paypal.conversation)
    assert '"access_token": "•••"' in str(paypal.conversation)
