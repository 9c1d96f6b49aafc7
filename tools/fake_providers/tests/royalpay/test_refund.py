from decimal import Decimal
from typing import Any

import pytest

from commerce.payments.models import Refund
from commerce.payments.providers.base import RefundOutcome, UnavailableError
from commerce.payments.providers.royalpay import RoyalPayProvider
from tools.fake_providers.royalpay import FakeRoyalPay
from tools.fake_providers.server import Trouble
from tools.fake_providers.tests.royalpay.builders import a_payment, change_answers, query, start


# No refund is stored.
def a_refund(reference: str = "R1", amount: str = "2.30") -> Refund:
    return Refund(payment=a_payment(), reference=reference, amount=Decimal(amount), currency="AUD")


def send(refund: Refund) -> RefundOutcome:
    return RoyalPayProvider().refund(refund=refund)


def ask(refund: Refund) -> RefundOutcome | None:
    return RoyalPayProvider().query_refund(refund=refund)


@pytest.fixture
def paid(fake: FakeRoyalPay) -> FakeRoyalPay:
    """The fake with an order of 12.30 that is paid."""
    start(a_payment())
    fake.pay("S1-1")
    return fake


def fees(fake: FakeRoyalPay) -> list[int]:
    return [refund.fee for refund in fake.orders["S1-1"].refunds.values()]


def test_parts_and_then_the_rest_go_back(paid: FakeRoyalPay) -> None:
    assert send(a_refund()).state == Refund.State.done
    assert paid.orders["S1-1"].status == "PARTIAL_REFUND"
    assert send(a_refund("R2", "10.00")).state == Refund.State.done
    assert paid.orders["S1-1"].status == "FULL_REFUND"
    assert fees(paid) == [230, 1000]
    outcome = query(a_payment())
    assert outcome
    assert outcome.amount == Decimal("12.30")


def test_the_same_refund_twice_moves_money_once(paid: FakeRoyalPay) -> None:
    first, second = send(a_refund()), send(a_refund())
    assert first == second
    assert first.provider_ref == paid.orders["S1-1"].refunds["R1"].number
    assert fees(paid) == [230]


# A lost answer is asked for once more.
@pytest.mark.parametrize(("trouble", "times"), [(Trouble.lost, 2), (Trouble.garbage, 1)])
def test_a_refund_whose_answer_is_lost_is_found_by_asking(
    paid: FakeRoyalPay, trouble: Trouble, times: int
) -> None:
    paid.cause(trouble, times=times)
    with pytest.raises(UnavailableError):
        send(a_refund())
    found = ask(a_refund())
    assert found
    assert found.state == Refund.State.done
    assert fees(paid) == [230]


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("WAITING", "sending"),
        ("SUCCESS", "sending"),
        ("FINISHED", "done"),
        ("FAILED", "failed"),
        ("CREATE_FAILED", "failed"),
        ("CHANGE", "failed"),
    ],
)
def test_each_status_of_a_refund_has_its_state(paid: FakeRoyalPay, status: str, state: str) -> None:
    paid.refund_status = "WAITING"
    assert send(a_refund()).state == Refund.State.sending
    paid.set_refund("S1-1", "R1", status)
    found = ask(a_refund())
    assert found
    assert (found.state, found.detail) == (Refund.State(state), "" if state == "done" else status)


def test_a_refund_that_was_never_sent_is_not_known(paid: FakeRoyalPay) -> None:
    assert ask(a_refund()) is None


def test_more_than_was_paid_is_refused_for_good(paid: FakeRoyalPay, caplog: pytest.LogCaptureFixture) -> None:
    assert send(a_refund(amount="12.31")) == RefundOutcome(Refund.State.failed, detail="PARAM_INVALID")
    assert fees(paid) == []
    assert "royalpay refuses refund R1: PARAM_INVALID" in caplog.text


def test_a_refusal_of_a_refund_that_is_known_shows_of_that_one(
    paid: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(a_refund())
    paid.refund_status = "WAITING"
    monkeypatch.setattr(paid, "_refund", lambda *_of, **_named: {"return_code": "REFUND_EXISTS"})
    assert send(a_refund()).state == Refund.State.done


@pytest.mark.parametrize("wrong", [{"partner_refund_id": "R2"}, {"amount": 231}, {"result_code": "PERHAPS"}])
def test_what_is_no_answer_about_this_refund_leaves_it_unknown(
    paid: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    change_answers(paid, monkeypatch, "_refund_facts", wrong)
    with pytest.raises(UnavailableError):
        send(a_refund())
    with pytest.raises(UnavailableError):
        ask(a_refund())
