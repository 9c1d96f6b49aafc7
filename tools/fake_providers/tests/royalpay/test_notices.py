import json
import time
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from commerce.orders.tests.builders import Buyer, make_order, nothing_changes
from commerce.payments.models import Payment
from commerce.payments.providers.base import BadNoticeError, Notice, Reason
from commerce.payments.providers.royalpay import RoyalPayProvider
from commerce.payments.providers.royalpay.signing import is_genuine, sign, signed_now
from commerce.payments.services import handle_notice
from tools.fake_providers.royalpay import CREDENTIAL, PARTNER, FakeRoyalPay, signature
from tools.fake_providers.tests.royalpay.builders import a_payment, start


def read(body: bytes) -> Notice:
    return RoyalPayProvider().read_notice(headers={}, body=body)


@pytest.fixture
def fake(fake: FakeRoyalPay) -> FakeRoyalPay:
    """The fake with an order that is paid."""
    start(a_payment("5"))
    fake.pay("S1-1")
    return fake


def test_the_signature_is_that_of_the_example(settings: LazySettings) -> None:
    settings.ROYALPAY_PARTNER_CODE, settings.ROYALPAY_CREDENTIAL = "ABCD", "EXAMPLE-CREDENTIAL"
    expected = "5048ad3c5fdd1cc8d96ab0b8ef1fab600e8aca71eadd593a615ea99fa3bc8f5c"
    assert sign("1767225600000", "0123456789abcdef") == expected


def test_a_genuine_notice_keeps_neither_signature_nor_card(fake: FakeRoyalPay) -> None:
    body = fake.notice_of("S1-1", card_no="4111 1111 1111 1111", customer_id="wx1")
    notice, content = read(body), json.loads(body)
    assert (notice.reference, notice.reports_paid) == ("S1-1", True)
    assert notice.event_id == f"{content['time']}-{content['nonce_str']}"
    assert len(notice.event_id) <= 80
    assert (notice.body["total_fee"], notice.body["currency"], notice.body["rate"]) == (
        "1230",
        "AUD",
        "4.6532",
    )
    for secret in ("sign", "nonce_str", "card_no", "customer_id"):
        assert secret not in notice.body


def test_a_repeat_is_the_same_event(fake: FakeRoyalPay) -> None:
    body = fake.notice_of("S1-1")
    assert read(body) == read(body)
    assert read(fake.notice_of("S1-1")).event_id != read(body).event_id


@pytest.mark.parametrize(
    "changed",
    [
        {"sign": "0" * 64},
        {"sign": ""},
        {"sign": "é"},
        {"sign": None},
        {"nonce_str": "0123456789abcdef"},
        {"nonce_str": ""},
        {"nonce_str": "é" * 10},
        {"time": "1767225600000"},
        {"time": ""},
        {"time": "x"},
    ],
)
def test_a_forged_notice_is_refused(fake: FakeRoyalPay, changed: dict[str, Any]) -> None:
    with pytest.raises(BadNoticeError):
        read(fake.notice_of("S1-1", **changed))


@pytest.mark.parametrize("seconds", [-302, 302])
def test_a_genuine_notice_signed_too_long_ago_is_refused(fake: FakeRoyalPay, seconds: int) -> None:
    body = fake.notice_of("S1-1", age_seconds=seconds)
    with pytest.raises(BadNoticeError):
        read(body)
    with time_machine.travel(timezone.now() - timedelta(seconds=seconds)):
        assert read(body).reference == "S1-1"


def test_what_a_browser_was_given_signs_no_notice(fake: FakeRoyalPay) -> None:
    ours: dict[str, Any] = signed_now()
    # It is right but for its sender: every payer has seen such a one.
    assert ours["sign"] == signature(ours["time"], ours["nonce_str"])
    assert not is_genuine(ours["time"], ours["nonce_str"], ours["sign"])
    with pytest.raises(BadNoticeError):
        read(fake.notice_of("S1-1", **ours))


def test_a_nonce_that_was_used_for_a_payment_is_refused_for_another(fake: FakeRoyalPay) -> None:
    order = make_order(Buyer())
    Payment.objects.create(order=order, reference="S1-1", amount=Decimal("12.30"), provider="royalpay")
    body = fake.notice_of("S1-1")
    handle_notice(provider=RoyalPayProvider(), notice=read(body))
    content = json.loads(body)
    Payment.objects.create(order=order, reference="S2-1", amount=Decimal("12.40"), provider="royalpay")
    with nothing_changes(), pytest.raises(BadNoticeError, match="another payment"):
        handle_notice(
            provider=RoyalPayProvider(),
            notice=read(json.dumps(content | {"partner_order_id": "S2-1"}).encode()),
        )
    # Another time makes it another signature.
    moment = str(int(content["time"]) + 1)
    fresh = {"time": moment, "sign": signature(moment, content["nonce_str"]), "partner_order_id": "S2-1"}
    assert read(json.dumps(content | fresh).encode()).reference == "S2-1"


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"\xff", b"[" * 100_000, b'{"time": NaN}', rb'{"more": "\u0000"}', b'{"a": 1e9e9}', b"{}"],
)
def test_an_unreadable_notice_is_counted_as_such_and_one_that_shows_nothing_as_forged(
    fake: FakeRoyalPay, body: bytes
) -> None:
    with pytest.raises(BadNoticeError) as refused:
        read(body)
    assert refused.value.reason == (Reason.forged if body == b"{}" else Reason.unreadable)


def test_without_a_credential_no_notice_is_genuine(settings: LazySettings) -> None:
    settings.ROYALPAY_PARTNER_CODE, settings.ROYALPAY_CREDENTIAL = PARTNER, ""
    moment, nonce = str(time.time_ns() // 1_000_000), "0123456789abcdef"
    assert not is_genuine(moment, nonce, sign(moment, nonce))
    settings.ROYALPAY_CREDENTIAL = CREDENTIAL
    assert is_genuine(moment, nonce, sign(moment, nonce))
