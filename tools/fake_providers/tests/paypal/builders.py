"""Builders for tests of PayPal; nothing of it is stored."""

from decimal import Decimal
from typing import Any

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import Device, Outcome, RefundOutcome
from commerce.payments.providers.paypal.provider import PayPalProvider
from tools.fake_providers.paypal import FakePayPal

SITE = "https://shop.example"
REFERENCE = "2026112600001-1"


def started(provider: PayPalProvider, reference: str = REFERENCE, **fields: Any) -> Payment:
    """Return a payment of AUD 25.90 that has begun at PayPal."""
    payment = Payment(reference=reference, provider="paypal", amount=Decimal("25.90"), **fields)
    begun = provider.start(payment=payment, site_url=SITE, device=Device.desktop)
    payment.jump_url, payment.provider_ref = begun.jump_url, begun.provider_ref
    return payment


def state_of(provider: PayPalProvider, payment: Payment, *, may_collect: bool = True) -> str:
    """Ask about a payment; returns its state."""
    outcome = provider.query(payment=payment, may_collect=may_collect)
    assert outcome
    return outcome.state.value


def collected(provider: PayPalProvider, paypal: FakePayPal, reference: str = REFERENCE) -> Payment:
    """Return a payment whose money PayPal has collected."""
    payment = started(provider, reference)
    paypal.approve(reference)
    outcome = provider.query(payment=payment, may_collect=True)
    assert outcome
    assert (outcome.state, outcome.amount) == (Payment.State.paid, payment.amount)
    payment.state, payment.capture_ref = outcome.state, outcome.capture_ref
    return payment


def refund_of(payment: Payment, amount: str, number: int = 1) -> Refund:
    """Return a refund of a payment that is to be sent."""
    reference = f"{payment.reference}-r{number}"
    return Refund(payment=payment, amount=Decimal(amount), reference=reference)


def paid(payment: Payment, capture_ref: str) -> Outcome:
    """Return the outcome of a payment that was paid as asked for."""
    return Outcome(Payment.State.paid, payment.reference, payment.amount, payment.currency, capture_ref)


def sent(provider: PayPalProvider, refund: Refund) -> RefundOutcome:
    """Send a refund, and note its id as the shop does."""
    outcome = provider.refund(refund=refund)
    refund.provider_ref = outcome.provider_ref
    return outcome
