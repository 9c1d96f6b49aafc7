from decimal import Decimal
from typing import Any

import pytest

from commerce.payments.models import Payment
from commerce.payments.providers.base import Outcome, UnavailableError
from tools.fake_providers.royalpay import FakeRoyalPay
from tools.fake_providers.tests.royalpay.builders import a_payment, change_answers, query, start


@pytest.fixture
def payment(fake: FakeRoyalPay) -> Payment:
    payment = a_payment()
    start(payment)
    return payment


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("PAYING", "pending"),
        ("CREATE_FAIL", "failed"),
        ("CLOSED", "failed"),
        ("PAY_FAIL", "failed"),
        ("PAY_SUCCESS", "paid"),
        ("PARTIAL_REFUND", "paid"),
        ("FULL_REFUND", "paid"),
        ("FULL_REFUNDED", "paid"),
    ],
)
def test_each_status_has_its_state(fake: FakeRoyalPay, payment: Payment, status: str, state: str) -> None:
    fake.orders["S1-1"].status = status
    assert query(payment) == Outcome(Payment.State(state), "S1-1", Decimal("12.30"), "AUD")


def test_what_was_collected_is_notified_whatever_was_asked_for(fake: FakeRoyalPay, payment: Payment) -> None:
    fake.surcharge = 15
    fake.pay("S1-1", total_fee=1229, currency="CNY")
    assert query(payment) == Outcome(Payment.State.paid, "S1-1", Decimal("12.29"), "CNY")


@pytest.mark.parametrize("status", [200, 404])
def test_a_payment_that_they_have_no_order_of_is_not_known(fake: FakeRoyalPay, status: int) -> None:
    fake.refusal_status = status
    assert query(a_payment()) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"partner_order_id": "S2-1"},
        {"partner_order_id": None},
        {"result_code": "PAID_PERHAPS"},
        {"result_code": None},
        {"result_code": "NOT_PERMITTED"},
        {"return_code": "no code of theirs"},
        {"return_code": "MAINTENANCE"},
        {"total_fee": 12.3},
        {"total_fee": "12.30"},
        {"total_fee": -1230},
        {"total_fee": True},
        {"total_fee": None},
        {"total_fee": "9" * 13},
        {"total_fee": "١٢"},
    ],
)
def test_what_is_no_answer_about_this_payment_leaves_it_unknown(
    fake: FakeRoyalPay, payment: Payment, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    fake.pay("S1-1")
    change_answers(fake, monkeypatch, "_query", wrong)
    with pytest.raises(UnavailableError):
        query(payment)
