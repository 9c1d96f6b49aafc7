"""Notices of PayPal: genuine ones are read, all others refused, and forgers cost little.

See docs/paypal.md#notices.
"""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.http.request import HttpHeaders
from django.utils import timezone

from commerce.payments.providers.base import BadNoticeError, Notice, UnavailableError
from commerce.payments.providers.paypal import notices
from commerce.payments.providers.paypal.addresses import is_certificate
from commerce.payments.providers.paypal.provider import PayPalProvider
from tools.fake_providers.paypal import WEBHOOK_ID, FakePayPal
from tools.fake_providers.paypal_signing import SIGNER, Signer
from tools.fake_providers.tests.paypal.builders import REFERENCE, collected, refund_of, sent, started

CERTIFICATE = "/v1/notifications/certs/CERT-360caa42"


def read(provider: PayPalProvider, headers: Mapping[str, str], body: bytes) -> Notice:
    """Read a notice with headers as Django gives them."""
    sent_as = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    return provider.read_notice(headers=HttpHeaders(sent_as), body=body)


def event(**fields: Any) -> bytes:
    """Write a notice of a completed capture."""
    resource = {"id": "1", "status": "COMPLETED", "custom_id": REFERENCE}
    return json.dumps(
        {"id": "WH-1", "event_type": "PAYMENT.CAPTURE.COMPLETED", "resource": resource, **fields}
    ).encode()


def fetches(paypal: FakePayPal) -> int:
    """Count how often the certificate was fetched."""
    return str(paypal.conversation).count("→ GET /v1/notifications/certs")


def test_the_sum_of_a_body_is_the_one_of_paypals_example() -> None:
    assert notices.signed_message("T", "2026", "WEBHOOK", b'{"id":"WH-1"}') == b"T|2026|WEBHOOK|838965618"


def test_each_notice_of_a_payment_names_it(paypal: FakePayPal, provider: PayPalProvider) -> None:
    sent(provider, refund_of(collected(provider, paypal), "5.90"))
    paypal.dispute(REFERENCE)
    read_ones = [read(provider, headers, body) for headers, body in paypal.events]
    assert [(each.body["event_type"], each.reports_paid, bool(each.dispute_ref)) for each in read_ones] == [
        ("CHECKOUT.ORDER.APPROVED", False, False),
        ("PAYMENT.CAPTURE.COMPLETED", True, False),
        ("PAYMENT.CAPTURE.REFUNDED", False, False),
        ("CUSTOMER.DISPUTE.CREATED", False, True),
    ]
    assert {each.reference for each in read_ones} == {REFERENCE}
    assert len({each.event_id for each in read_ones}) == 4
    # The second notice and those after it needed no certificate.
    assert fetches(paypal) == 1


@pytest.mark.parametrize(
    ("resource", "reference", "others"),
    [
        ({"custom_id": "S1-1", "invoice_id": "S1-1-r1", "id": "R1"}, "S1-1", ("S1-1-r1", "R1")),
        ({"id": "C1", "supplementary_data": {"related_ids": {"order_id": "O1"}}}, "", ("C1", "O1")),
        (
            {
                "id": "R1",
                "links": [{"rel": "self", "href": "https://a/R1"}, {"rel": "up", "href": "https://a/C1"}],
            },
            "",
            ("R1", "C1"),
        ),
        (
            {"id": "O1", "purchase_units": [{"payments": {"captures": [{"id": "C1"}]}}]},
            "",
            ("O1", "C1"),
        ),
        (
            {"dispute_id": "D1", "disputed_transactions": [{"seller_transaction_id": "C1"}]},
            "",
            ("C1",),
        ),
        ({"custom_id": 5, "id": {}, "links": "x", "purchase_units": [5], "supplementary_data": []}, "", ()),
        ({"custom_id": "x" * 301}, "", ()),
    ],
)
def test_a_notice_names_every_reference_that_it_has(
    paypal: FakePayPal,
    provider: PayPalProvider,
    resource: dict[str, Any],
    reference: str,
    others: tuple[str, ...],
) -> None:
    notice = read(provider, *paypal.signed(event(resource=resource)))
    assert (notice.reference, notice.other_refs) == (reference, others)


def test_a_notice_that_comes_twice_has_the_same_id(paypal: FakePayPal, provider: PayPalProvider) -> None:
    started(provider)
    paypal.approve(REFERENCE)
    [(headers, body)] = paypal.events
    again, _ = paypal.signed(body)
    assert again != headers
    assert read(provider, headers, body) == read(provider, again, body)


def test_nothing_of_the_payer_is_stored(paypal: FakePayPal, provider: PayPalProvider) -> None:
    payer = {"email_address": "payer@example.com", "name": {"given_name": "Mei"}}
    resource = {"id": "1", "payer": payer, "purchase_units": [{"custom_id": REFERENCE}]}
    notice = read(provider, *paypal.signed(event(resource=resource, summary="Mei paid")))
    assert notice.body["resource"] == {"id": "1"}
    assert "Mei" not in json.dumps(notice.body)


@pytest.mark.parametrize(
    "header",
    [
        "PAYPAL-TRANSMISSION-ID",
        "PAYPAL-TRANSMISSION-TIME",
        "PAYPAL-TRANSMISSION-SIG",
        "PAYPAL-CERT-URL",
        "PAYPAL-AUTH-ALGO",
    ],
)
def test_a_notice_with_a_wrong_header_is_refused(
    paypal: FakePayPal, provider: PayPalProvider, header: str
) -> None:
    headers, body = paypal.signed(event())
    assert read(provider, headers, body).reference == REFERENCE
    for value in ("", "x", "2026-01-01T00:00:00Z", "é" * 40):
        with pytest.raises(BadNoticeError):
            read(provider, {**headers, header: value}, body)


def test_a_changed_body_another_webhook_or_another_key_is_refused(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    headers, body = paypal.signed(event())
    read(provider, headers, body)
    # The same values, written in another way.
    changed = json.dumps(json.loads(body), separators=(",", ":")).encode()
    forged = [
        signer.headers(body, webhook_id=webhook_id, certificate_url=paypal.certificate_url)
        for signer, webhook_id in (
            (paypal.signer, "WEBHOOK_ID"),
            (paypal.signer, "another shop's"),
            (Signer(), WEBHOOK_ID),
        )
    ]
    for given, sent_body in ((headers, changed), *((each, body) for each in forged)):
        with pytest.raises(BadNoticeError, match="signature"):
            read(provider, given, sent_body)
    assert read(provider, headers, body).reports_paid


def test_without_the_id_of_a_webhook_no_notice_is_believed(
    paypal: FakePayPal, provider: PayPalProvider, settings: LazySettings
) -> None:
    settings.PAYPAL_WEBHOOK_ID = ""
    body = event()
    headers = paypal.signer.headers(body, webhook_id="", certificate_url=paypal.certificate_url)
    with pytest.raises(BadNoticeError):
        read(provider, headers, body)
    assert fetches(paypal) == 0


@pytest.mark.parametrize(
    ("url", "is_theirs"),
    [
        (f"https://api.paypal.com{CERTIFICATE}", True),
        (f"https://api-m.paypal.com{CERTIFICATE}", True),
        (f"https://api.sandbox.paypal.com{CERTIFICATE}", False),
        (f"http://api.paypal.com{CERTIFICATE}", False),
        (f"https://www.paypal.com{CERTIFICATE}", False),
        (f"https://api.paypal.com.example{CERTIFICATE}", False),
        (f"https://api.paypal.com@example.com{CERTIFICATE}", False),
        (f"https://api.paypal.com:8443{CERTIFICATE}", False),
        ("https://api.paypal.com/v1/other/CERT-1", False),
        ("https://api.paypal.com/v1/notifications/certs/../../CERT-1", False),
        (f"https://api.paypal.com{CERTIFICATE}?x=1", False),
        (f"https://127.0.0.1{CERTIFICATE}", False),
    ],
)
def test_certificates_come_from_the_interface_in_use_alone(
    settings: LazySettings, url: str, is_theirs: bool
) -> None:
    settings.PAYPAL_URL = "https://api-m.paypal.com"
    assert is_certificate(url) == is_theirs
    settings.PAYPAL_URL = "https://api-m.sandbox.paypal.com"
    assert is_certificate(url) == ("//api.sandbox.paypal.com/" in url)


def test_a_certificate_of_another_host_is_not_even_fetched(
    paypal: FakePayPal, provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    monkeypatch.setattr(notices.Certificates, "_fetch", lambda _self, url: fetched.append(url))
    headers, body = paypal.signed(event())
    with pytest.raises(BadNoticeError, match="certificate"):
        read(provider, {**headers, "PAYPAL-CERT-URL": f"https://example.com{CERTIFICATE}"}, body)
    assert fetched == []


@pytest.mark.parametrize(
    "signer",
    [
        pytest.param(lambda: Signer("example.com"), id="another name"),
        pytest.param(lambda: Signer("paypal.com.example"), id="a similar name"),
        pytest.param(lambda: Signer(SIGNER, timedelta(days=-1)), id="expired"),
    ],
)
def test_a_certificate_that_is_not_paypals_or_has_ended_is_refused(
    paypal: FakePayPal, provider: PayPalProvider, signer: Any
) -> None:
    paypal.signer = signer()
    with pytest.raises(BadNoticeError, match="certificate"):
        read(provider, *paypal.signed(event()))


def test_a_certificate_that_is_none_is_refused(paypal: FakePayPal, provider: PayPalProvider) -> None:
    headers, body = paypal.signed(event())
    paypal.signer = Signer()
    paypal.signer.certificate = b"<html>"
    with pytest.raises(BadNoticeError, match="certificate"):
        read(provider, headers, body)


def test_forged_notices_make_the_shop_fetch_one_certificate_at_a_time(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    headers, body = paypal.signed(event())
    for number in range(20):
        url = f"{paypal.url}{CERTIFICATE}{number}"
        forged = Signer.headers(paypal.signer, body, webhook_id="another", certificate_url=url)
        with pytest.raises((BadNoticeError, UnavailableError)):
            read(provider, forged, body)
    assert fetches(paypal) == 1
    # A genuine one is refused for now, which lets PayPal send it again.
    with pytest.raises(UnavailableError):
        read(provider, headers, body)


def test_forgers_push_no_certificate_out_that_verifies(
    paypal: FakePayPal, provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "FETCH_INTERVAL_SECONDS", 0)
    headers, body = paypal.signed(event())
    read(provider, headers, body)
    for number in range(2 * notices.MAX_CERTIFICATES):
        url = f"{paypal.url}{CERTIFICATE}{number}"
        with pytest.raises(BadNoticeError):
            read(provider, {**headers, "PAYPAL-CERT-URL": url, "PAYPAL-TRANSMISSION-ID": "another"}, body)
    before = fetches(paypal)
    read(provider, headers, body)
    assert fetches(paypal) == before


def test_a_certificate_that_cannot_be_had_now_lets_the_notice_come_again(
    paypal: FakePayPal, provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "FETCH_INTERVAL_SECONDS", 0)
    headers, body = paypal.signed(event())
    paypal.shutdown()
    monkeypatch.setattr(notices, "MAX_SECONDS", 0.2)
    with pytest.raises(UnavailableError):
        read(provider, headers, body)


def test_a_certificate_that_ends_is_not_used_from_memory(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    headers, body = paypal.signed(event())
    read(provider, headers, body)
    with time_machine.travel(timezone.now() + timedelta(days=31)), pytest.raises(BadNoticeError):
        read(provider, headers, body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b'{"id":"WH-1","resource":[]}',
        event(id="W" * 81),
        event(id="WH 1"),
        event(summary="\0"),
        b"[" * 10_000,
        b"\xff",
    ],
)
def test_a_signed_body_that_is_no_event_is_refused(
    paypal: FakePayPal, provider: PayPalProvider, body: bytes
) -> None:
    with pytest.raises(BadNoticeError):
        read(provider, *paypal.signed(body))
