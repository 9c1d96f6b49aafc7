from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from commerce.orders.tests.builders import Buyer, nothing_changes
from commerce.payments.models import Payment, PaymentEvent, Refund
from commerce.payments.providers.base import Notice
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.providers.sandbox.signing import (
    EVENT_HEADER,
    MAX_AGE_SECONDS,
    SIGNATURE_HEADER,
    TIME_HEADER,
    is_genuine,
    signature_of,
    signed_headers,
)
from commerce.payments.services.notices import handle_notice
from commerce.payments.services.refunds import request_refund
from commerce.payments.tests.builders import NOTICE, decide, make_collected, make_payment, send_notice
from commerce.refused_notices.models import RefusedNotice, UnmatchedNotice
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def assert_refused(body: bytes, headers: dict[str, str]) -> None:
    with nothing_changes(but=[RefusedNotice]):
        response = Client().generic("POST", NOTICE, body, "application/json", headers=headers)
        assert response.status_code == 400


def test_a_forged_notice_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    payment = make_collected(buyer)
    for headers in (
        {SIGNATURE_HEADER: "0" * 64},
        {SIGNATURE_HEADER: ""},
        {SIGNATURE_HEADER: "é"},
        {EVENT_HEADER: "another"},
        {TIME_HEADER: "0"},
        {TIME_HEADER: "x"},
    ):
        with subtests.test(headers=headers), rolled_back(), nothing_changes(but=[RefusedNotice]):
            assert send_notice(payment, headers=headers) == 400


def test_a_genuine_notice_signed_too_long_ago_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    payment = make_collected(buyer)
    body = b'{"reference": "%s"}' % payment.reference.encode()
    for seconds in (-MAX_AGE_SECONDS - 2, MAX_AGE_SECONDS + 2):
        with subtests.test(seconds=seconds), rolled_back():
            with time_machine.travel(timezone.now() + timedelta(seconds=seconds)):
                headers = signed_headers("e1", body)
            assert_refused(body, headers)


def test_a_genuine_notice_that_names_no_payment_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    make_payment(buyer)
    for body in (
        b"",
        b"[]",
        b"{}",
        b"\xff",
        rb'{"reference": "S1\u0000"}',
        rb'{"reference": "\ud800"}',
        b"[" * 100_000,
    ):
        with subtests.test(body=body), rolled_back():
            assert_refused(body, signed_headers("e1", body))


def test_a_genuine_notice_that_cannot_be_stored_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for more in (r'"\u0000"', r'"\ud800"', "NaN", "[" * 900 + "]" * 900):
        with subtests.test(more=more), rolled_back():
            body = f'{{"reference": "{make_payment(buyer).reference}", "more": {more}}}'.encode()
            assert_refused(body, signed_headers("e1", body))


def test_a_genuine_notice_of_an_unknown_payment_is_stored_once_for_staff(buyer: Buyer) -> None:
    payment = make_collected(buyer)
    Payment.objects.update(provider="royalpay")
    with nothing_changes(but=[UnmatchedNotice]):
        assert send_notice(payment, event="e1", amount={"value": "5.90"}) == 200
        assert send_notice(payment, event="e1") == 200
        assert send_notice(Payment(reference="S1-1"), event="e2") == 200
    stored = UnmatchedNotice.objects.order_by("pk").values_list("provider", "event_id", "named")
    assert list(stored) == [("sandbox", "e1", payment.reference), ("sandbox", "e2", "S1-1")]
    assert "amount.value: 5.90" in UnmatchedNotice.objects.get(event_id="e1").content


def test_a_notice_finds_its_payment_by_every_reference_of_either_side(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    provider, payment = SandboxProvider(), make_payment(buyer)
    decide(payment)
    Payment.objects.update(state=Payment.State.paid, provider_ref="ORDER", capture_ref="CAPTURE")
    refund = request_refund(payment=payment, amount=Decimal("0.01"), reason=Refund.Reason.order_refund)
    Refund.objects.update(provider_ref="REFUND")
    other = make_payment(buyer)
    for reference, others in (
        (payment.reference, ()),
        (refund.reference, ()),
        ("", ("x", payment.reference)),
        ("", ("CAPTURE",)),
        ("", ("x", "ORDER")),
        ("", ("REFUND",)),
        # What the shop has named counts more than what the provider has.
        (payment.reference, (other.reference, other.provider_ref)),
    ):
        with subtests.test(reference=reference, others=others), rolled_back():
            notice = Notice(reference, "e1", {}, reports_paid=False, other_refs=others)
            handle_notice(provider=provider, notice=notice)
            assert PaymentEvent.objects.get().payment == payment
            assert not UnmatchedNotice.objects.exists()
    for nothing in ((), ("",)):
        with subtests.test(nothing=nothing), rolled_back(), nothing_changes(but=[UnmatchedNotice]):
            Payment.objects.filter(pk=other.pk).update(provider_ref="")
            handle_notice(
                provider=provider, notice=Notice("", "e1", {}, reports_paid=False, other_refs=nothing)
            )


def test_an_event_of_another_payment_is_no_repeat_and_is_refused(buyer: Buyer) -> None:
    first, second = make_payment(buyer), make_payment(buyer)
    assert send_notice(first, event="e1") == 200
    decide(second)
    with nothing_changes(but=[RefusedNotice]):
        assert send_notice(second, event="e1") == 400
    assert RefusedNotice.objects.get().count == 1
    assert send_notice(second, event="e2") == 200
    second.refresh_from_db()
    assert second.state == Payment.State.paid


def test_an_event_with_too_long_an_id_is_refused(buyer: Buyer) -> None:
    payment = make_payment(buyer)
    with nothing_changes(but=[RefusedNotice]):
        assert send_notice(payment, event="e" * 81) == 400
    assert send_notice(payment, event="e" * 80) == 200


def test_an_invalid_signed_time_is_refused(subtests: pytest.Subtests) -> None:
    for timestamp in ("", "x", "nan", "inf", "9" * 400, "٣"):
        with subtests.test(timestamp=timestamp):
            assert not is_genuine(timestamp, "e1", signature_of(timestamp, "e1", b"{}"), b"{}")


def test_notices_are_accepted_by_post_and_from_known_gateways_only() -> None:
    assert Client().get(NOTICE).status_code == 405
    assert Client().post("/pay/notice/other").status_code == 404
