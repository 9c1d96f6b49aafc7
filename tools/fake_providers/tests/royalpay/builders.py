"""Builders for tests of RoyalPay; no payment is stored."""

from decimal import Decimal
from typing import Any

import pytest

from commerce.payments.models import Payment
from commerce.payments.providers.base import Device, Outcome, Started
from commerce.payments.providers.royalpay import RoyalPayProvider
from tools.fake_providers.royalpay import FakeRoyalPay

SITE = "https://shop.example"


def a_payment(pay_type: str = "5", **kw: Any) -> Payment:
    fields = {"reference": "S1-1", "amount": Decimal("12.30"), "currency": "AUD", "provider": "royalpay"}
    return Payment(pay_type=pay_type, **(fields | kw))


def start(payment: Payment, device: Device = Device.desktop) -> Started:
    return RoyalPayProvider().start(payment=payment, site_url=SITE, device=device)


def query(payment: Payment) -> Outcome | None:
    return RoyalPayProvider().query(payment=payment, may_collect=True)


def change_answers(
    fake: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch, name: str, changes: dict[str, Any]
) -> None:
    """Let the answers that a method of the fake makes have other values."""
    original = getattr(fake, name)
    monkeypatch.setattr(fake, name, lambda *of, **named: original(*of, **named) | changes)
