"""The fake's own pages: what a developer sees of it (docs/paypal.md#the-fake)."""

import httpx
import pytest

from commerce.payments.providers.paypal.provider import PayPalProvider
from tools.fake_providers.paypal import FakePayPal
from tools.fake_providers.tests.paypal.builders import REFERENCE, SITE, started, state_of


@pytest.mark.parametrize(
    ("outcome", "state"), [("paid", "paid"), ("declined", "pending"), ("left", "pending")]
)
def test_a_payer_decides_on_a_page_in_both_languages_that_shows_that_no_money_moves(
    paypal: FakePayPal, provider: PayPalProvider, outcome: str, state: str
) -> None:
    payment = started(provider)
    page = httpx.get(payment.jump_url).text
    for text in ("No money moves", "不会动用任何资金", "AUD 25.90", REFERENCE, f'value="{outcome}"'):
        assert text in page
    answer = httpx.post(payment.jump_url, data={"outcome": outcome})
    back = f"{SITE}/pay/return/{REFERENCE}?token={payment.provider_ref}"
    assert (answer.status_code, answer.headers["Location"].startswith(back)) == (303, True)
    assert state_of(provider, payment) == state


def test_a_developer_decides_what_becomes_of_a_payment(paypal: FakePayPal, provider: PayPalProvider) -> None:
    payment = started(provider)
    control = f"{paypal.url}/control"
    assert httpx.post(control, data={"action": "approve", "reference": REFERENCE}).status_code == 303
    assert "APPROVED" in httpx.get(control).text
    assert state_of(provider, payment) == "paid"
    assert httpx.post(control, data={"action": "approve", "reference": "another"}).status_code == 404
    httpx.post(control, data={"action": "expire", "reference": REFERENCE})
    assert provider.query(payment=payment, may_collect=True) is None
    assert httpx.get(payment.jump_url).status_code == 404
