"""Refunds at PayPal: each sent once, whatever becomes of answers (docs/paypal.md#refunds)."""

import pytest

from commerce.payments.models import Refund
from commerce.payments.providers.base import RefundOutcome, UnavailableError
from commerce.payments.providers.paypal.provider import PayPalProvider
from tools.fake_providers.paypal import FakePayPal
from tools.fake_providers.server import Trouble
from tools.fake_providers.tests.paypal.builders import REFERENCE, collected, refund_of, sent


def test_refunds_in_parts_add_up_to_the_whole_and_no_further(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    payment = collected(provider, paypal)
    order = paypal.of(REFERENCE)
    assert sent(provider, refund_of(payment, "5.90", 1)).state == Refund.State.done
    assert order.captures[0]["status"] == "PARTIALLY_REFUNDED"
    assert sent(provider, refund_of(payment, "20.01", 2)) == RefundOutcome(
        Refund.State.failed, detail="422 REFUND_AMOUNT_EXCEEDED, UNPROCESSABLE_ENTITY"
    )
    assert sent(provider, refund_of(payment, "20.00", 3)).state == Refund.State.done
    assert order.captures[0]["status"] == "REFUNDED"
    refused = sent(provider, refund_of(payment, "0.01", 4))
    assert (refused.state, "CAPTURE_FULLY_REFUNDED" in refused.detail) == (Refund.State.failed, True)
    assert [each["amount"]["value"] for each in order.refunds] == ["5.90", "20.00"]
    assert order.refunds[0]["invoice_id"] == f"{REFERENCE}-r1"
    assert order.refunds[0]["custom_id"] == REFERENCE


def test_a_refund_of_a_currency_without_decimals_is_sent_in_whole_units(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    payment = collected(provider, paypal)
    order = paypal.of(REFERENCE)
    order.captures[0]["amount"] = {"currency_code": "JPY", "value": "2590"}
    refund = refund_of(payment, "500.00")
    refund.currency = "JPY"
    assert sent(provider, refund).state == Refund.State.done
    assert order.refunds[0]["amount"] == {"currency_code": "JPY", "value": "500"}


def test_a_refund_that_is_sent_twice_gives_money_back_once(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    refund = refund_of(collected(provider, paypal), "5.90")
    first = provider.refund(refund=refund)
    assert provider.refund(refund=refund) == first
    assert len(paypal.of(REFERENCE).refunds) == 1


def test_a_refund_whose_answer_was_lost_is_found_by_its_reference(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    refund = refund_of(collected(provider, paypal), "25.90")
    assert provider.query_refund(refund=refund) is None
    paypal.troubled = "/refund"
    paypal.cause(Trouble.lost, 2)
    with pytest.raises(UnavailableError):
        provider.refund(refund=refund)
    [made] = paypal.of(REFERENCE).refunds
    assert provider.query_refund(refund=refund) == RefundOutcome(Refund.State.done, made["id"])
    # Long after, PayPal has forgotten the request's id and only sees money that is gone.
    paypal.forget_requests()
    assert provider.refund(refund=refund) == RefundOutcome(Refund.State.done, made["id"])
    assert paypal.of(REFERENCE).refunds == [made]


def test_a_pending_refund_is_asked_about_until_it_is_done(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    refund = refund_of(collected(provider, paypal), "5.90")
    paypal.refund_status = "PENDING"
    assert sent(provider, refund).state == Refund.State.sending
    pending = provider.query_refund(refund=refund)
    assert pending
    assert pending.state == Refund.State.sending
    paypal.decide_refunds(REFERENCE, "COMPLETED")
    assert provider.query_refund(refund=refund) == RefundOutcome(Refund.State.done, refund.provider_ref)
    assert len(paypal.of(REFERENCE).refunds) == 1


@pytest.mark.parametrize("status", ["FAILED", "CANCELLED"])
def test_a_refund_that_failed_is_sent_again_under_another_reference(
    paypal: FakePayPal, provider: PayPalProvider, status: str
) -> None:
    refund = refund_of(collected(provider, paypal), "5.90")
    paypal.refund_status = status
    failed = sent(provider, refund)
    assert (failed.state, failed.detail) == (Refund.State.failed, status)
    assert provider.query_refund(refund=refund) == failed
    # The id of the try that failed is still noted, and its answer is not taken for the new one's.
    refund.reference += "-2"
    assert provider.query_refund(refund=refund) is None
    paypal.refund_status = "COMPLETED"
    again = provider.refund(refund=refund)
    assert again.state == Refund.State.done
    assert provider.query_refund(refund=refund) == again
    assert [each["status"] for each in paypal.of(REFERENCE).refunds] == [status, "COMPLETED"]


@pytest.mark.parametrize("trouble", [Trouble.error, Trouble.garbage])
def test_while_paypal_fails_nothing_is_known_of_a_refund(
    paypal: FakePayPal, provider: PayPalProvider, trouble: Trouble
) -> None:
    refund = refund_of(collected(provider, paypal), "5.90")
    paypal.cause(trouble)
    with pytest.raises(UnavailableError):
        provider.refund(refund=refund)
    assert provider.refund(refund=refund).state == Refund.State.done
    assert len(paypal.of(REFERENCE).refunds) == 1


def test_a_refund_of_another_amount_or_an_id_that_paypal_has_lost_is_no_answer(
    paypal: FakePayPal, provider: PayPalProvider
) -> None:
    refund = refund_of(collected(provider, paypal), "5.90")
    sent(provider, refund)
    [made] = paypal.of(REFERENCE).refunds
    made["amount"] = {"currency_code": "AUD", "value": "5.91"}
    with pytest.raises(UnavailableError):
        provider.query_refund(refund=refund)
    paypal.of(REFERENCE).refunds.clear()
    with pytest.raises(UnavailableError):
        provider.query_refund(refund=refund)
