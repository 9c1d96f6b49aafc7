"""PayPal's list of a day (docs/paypal.md#the-list-of-a-day)."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import LazySettings

from commerce.payments.providers.base import Settled, SettledPage, UnavailableError
from commerce.payments.providers.paypal import provider as provider_module
from commerce.payments.providers.paypal import statements
from commerce.payments.providers.paypal.provider import PayPalProvider
from tools.fake_providers.paypal import FakePayPal
from tools.fake_providers.server import Trouble
from tools.fake_providers.tests.paypal.builders import collected, refund_of, sent, started

DAY = date(2026, 11, 24)


@pytest.fixture
def moved(paypal: FakePayPal, provider: PayPalProvider, settings: LazySettings) -> FakePayPal:
    """The fake with two payments of that day, a refund of each, and rows of other kinds."""
    settings.TIME_ZONE = "Australia/Sydney"
    for reference in ("A-1", "B-1"):
        sent(provider, refund_of(collected(provider, paypal, reference), "5.90"))
    started(provider, "C-1")
    for order in paypal.orders.values():
        for thing in (*order.captures, *order.refunds):
            # The last second of that day in Sydney.
            thing["create_time"] = "2026-11-24T12:59:59Z"
    row = {"transaction_initiation_date": "2026-11-24T10:00:00+0000", "transaction_status": "S"}
    for code, value, change in [
        ("T0400", "-99.00", {}),
        ("T1105", "-1.00", {}),
        ("T0000", "-7.00", {}),
        ("T0006", "8.00", {"transaction_status": "P"}),
        ("T0006", "9.00", {"transaction_status": "D"}),
        ("T1106", "-10.00", {"transaction_id": "REVERSAL1"}),
    ]:
        amount = {"currency_code": "AUD", "value": value}
        info = row | {"transaction_event_code": code, "transaction_amount": amount, **change}
        paypal.other_rows.append({"transaction_info": info})
    return paypal


def listed(provider: PayPalProvider, day: date = DAY) -> list[Settled]:
    rows: list[Settled] = []
    for page in range(1, 20):
        answer = provider.settled(day=day, page=page)
        rows += answer.rows
        if answer.is_last:
            return rows
    raise AssertionError("no end")


def test_a_day_of_the_shop_lists_payments_and_refunds_page_by_page(
    moved: FakePayPal, provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "PAGE_SIZE", 3)
    rows = listed(provider)
    ids = [moved.of(name).captures[0]["id"] for name in ("A-1", "B-1")]
    backs = [moved.of(name).refunds[0]["id"] for name in ("A-1", "B-1")]
    assert {(row.is_refund, row.reference, row.provider_ref, str(row.amount)) for row in rows} == {
        (False, "A-1", ids[0], "25.90"),
        (False, "B-1", ids[1], "25.90"),
        (True, "A-1-r1", backs[0], "5.90"),
        (True, "B-1-r1", backs[1], "5.90"),
        # What PayPal itself has given back names no refund of the shop's.
        (True, "", "REVERSAL1", "10.00"),
    }
    assert rows[0].at == datetime(2026, 11, 24, 12, 59, 59, tzinfo=UTC)
    assert {row.currency for row in rows} == {"AUD"}
    moved.other_rows.clear()
    assert listed(provider, DAY + timedelta(days=1)) == listed(provider, DAY - timedelta(days=1)) == []


def test_without_the_right_to_search_or_in_time_nothing_is_listed(
    moved: FakePayPal, provider: PayPalProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved.may_search = False
    with pytest.raises(UnavailableError):
        listed(provider)
    moved.may_search = True
    for trouble in (Trouble.error, Trouble.garbage):
        moved.cause(trouble)
        with pytest.raises(UnavailableError):
            listed(provider)
    assert len(listed(provider)) == 5
    moved.slow_seconds = 3600
    moved.cause(Trouble.slow)
    monkeypatch.setattr(provider_module, "QUESTION_SECONDS", 1)
    with pytest.raises(UnavailableError):
        listed(provider)


@pytest.mark.parametrize(
    "change",
    [
        {"transaction_id": "../x"},
        {"transaction_amount": {"currency_code": "AUD", "value": "much"}},
        {"transaction_amount": None},
        {"transaction_initiation_date": "yesterday"},
        {"transaction_initiation_date": "2026-11-24T10:00:00"},
    ],
)
def test_a_row_that_cannot_be_read_is_no_list(
    paypal: FakePayPal, provider: PayPalProvider, change: dict[str, Any]
) -> None:
    row = {
        "transaction_id": "X1",
        "transaction_event_code": "T0006",
        "transaction_status": "S",
        "transaction_amount": {"currency_code": "AUD", "value": "1.00"},
        "transaction_initiation_date": "2026-11-24T10:00:00+0000",
    }
    paypal.other_rows = [{"transaction_info": row}]
    assert provider.settled(day=DAY, page=1) == SettledPage(
        [Settled(False, "", "X1", Decimal("1.00"), "AUD", datetime(2026, 11, 24, 10, tzinfo=UTC))], True
    )
    paypal.other_rows = [{"transaction_info": row | change}]
    with pytest.raises(UnavailableError):
        provider.settled(day=DAY, page=1)
