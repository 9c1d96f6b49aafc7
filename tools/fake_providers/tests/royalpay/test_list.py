"""RoyalPay's list of a day (docs/royalpay.md#the-list-of-a-day)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from commerce.payments.models import Refund
from commerce.payments.providers.base import SettledPage, UnavailableError
from commerce.payments.providers.royalpay import RoyalPayProvider, statements
from tools.fake_providers.royalpay import ZONE, FakeRoyalPay
from tools.fake_providers.server import Trouble
from tools.fake_providers.tests.royalpay.builders import a_payment, change_answers, start

DAY = date(2026, 11, 24)
NOON = "2026-11-24 12:00:00"


def listed(day: date = DAY) -> SettledPage:
    return RoyalPayProvider().settled(day=day, page=1)


@pytest.fixture
def moved(fake: FakeRoyalPay) -> FakeRoyalPay:
    """The fake with a payment of that day, its refund, a refused refund, and a payment that is open."""
    for reference in ("S1-1", "S2-1"):
        start(a_payment(reference=reference))
    fake.pay("S1-1")
    payment = a_payment()
    for reference, amount in (("R1", "2.30"), ("R2", "1.00")):
        RoyalPayProvider().refund(refund=Refund(payment=payment, reference=reference, amount=Decimal(amount)))
    fake.set_refund("S1-1", "R2", "FAILED")
    order = fake.orders["S1-1"]
    order.pay_time = order.refunds["R1"].time = NOON
    return fake


def test_a_day_lists_what_was_collected_and_given_back(moved: FakeRoyalPay) -> None:
    page, order = listed(), moved.orders["S1-1"]
    assert page.is_last
    assert [
        (row.is_refund, row.reference, row.provider_ref, row.amount, row.currency) for row in page.rows
    ] == [
        (False, "S1-1", order.number, Decimal("12.30"), "AUD"),
        (True, "R1", order.refunds["R1"].number, Decimal("2.30"), "AUD"),
    ]
    assert page.rows[0].at == datetime.strptime(NOON, "%Y-%m-%d %H:%M:%S").astimezone(ZONE)
    assert listed(date(2026, 11, 23)) == SettledPage([], is_last=True)


def test_the_same_money_twice_is_two_rows(moved: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch) -> None:
    original, number = moved._list, moved.orders["S1-1"].number

    def twice(*of: Any, **named: Any) -> dict[str, Any]:
        answer = original(*of, **named)
        return answer | {"transactions": answer["transactions"][:1] * 2}

    monkeypatch.setattr(moved, "_list", twice)
    assert [row.provider_ref for row in listed().rows] == [number, f"{number}-2"]


def test_a_long_list_is_read_and_a_slow_one_waited_for_no_longer_than_the_bound(
    moved: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = moved._list

    def long(*of: Any, **named: Any) -> dict[str, Any]:
        answer = original(*of, **named)
        return answer | {"transactions": answer["transactions"] * 600, "transaction_count": 1200}

    monkeypatch.setattr(moved, "_list", long)
    assert len(listed().rows) == 1200
    moved.slow_seconds = 3600
    moved.cause(Trouble.slow)
    monkeypatch.setattr(statements, "LIST_SECONDS", 1)
    with pytest.raises(UnavailableError):
        listed()


@pytest.mark.parametrize(
    "wrong",
    [
        {"transactions": None},
        {"transactions": ["x"]},
        {"transactions": [{"type": "Credit"}]},
        {"transactions": [{"type": "Perhaps"}]},
        {"transaction_count": 3},
        {"return_code": "NOT_PERMITTED", "result_code": ""},
    ],
)
def test_what_is_no_whole_list_is_none(
    moved: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    change_answers(moved, monkeypatch, "_list", wrong)
    with pytest.raises(UnavailableError):
        listed()
