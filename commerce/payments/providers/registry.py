"""Selects the payment provider of a pay type or payment, by the configuration."""

from collections.abc import Callable

from django.conf import settings
from django.utils.translation import gettext

from commerce.payments.hold_times import COLLECTED_BY_STAFF
from commerce.payments.models import PayType
from commerce.payments.pay_types import pay_types
from commerce.payments.providers.base import Provider
from commerce.payments.providers.paypal import PayPalProvider
from commerce.payments.providers.royalpay import RoyalPayProvider
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.restrictions import Purchase, fits

# The customer's own balance, which needs no provider.
WALLET = "wallet"
WALLET_PAY_TYPE = "0"
# Payments that staff collect and record; no pay type has this provider.
STAFF = "staff"

SANDBOX: Provider = SandboxProvider()
# Real providers by the name in payments and pay types, and whether this configuration has an account there.
REAL: dict[str, tuple[Provider, Callable[[], bool]]] = {
    RoyalPayProvider.name: (
        RoyalPayProvider(),
        lambda: bool(settings.ROYALPAY_PARTNER_CODE and settings.ROYALPAY_CREDENTIAL),
    ),
    PayPalProvider.name: (
        PayPalProvider(),
        lambda: bool(settings.PAYPAL_CLIENT_ID and settings.PAYPAL_SECRET),
    ),
}


def provider_named(name: str) -> Provider | None:
    """Return a provider by the name in its payments; None if it is not configured."""
    if name == SANDBOX.name:
        return SANDBOX if settings.SANDBOX_GATEWAY else None
    provider, is_configured = REAL.get(name, (None, bool))
    return provider if is_configured() else None


def all_providers() -> list[Provider]:
    """Return all configured providers."""
    return [found for name in (*REAL, SANDBOX.name) if (found := provider_named(name))]


def provider_of(pay_type: PayType) -> Provider | None:
    """Return the provider of a pay type, else the sandbox; None if neither is configured."""
    if pay_type.provider not in REAL:
        return None
    return provider_named(pay_type.provider) or provider_named(SANDBOX.name)


def offered_pay_types(purchase: Purchase | None = None) -> list[PayType]:
    """List the pay types that are switched on, usable and suitable for a purchase, in the shop's order.

    See docs/wire.md#paytypes. Queries as `pay_types`.
    """
    wanted = purchase or Purchase()
    return [row for row in pay_types() if is_offered(row) and fits(row, wanted)]


def is_offered(pay_type: PayType) -> bool:
    """Return True if a pay type is switched on and usable."""
    return pay_type.enabled and can_be_used(pay_type)


def can_be_used(pay_type: PayType) -> bool:
    """Return True if a provider or staff collect payments of this pay type in this configuration."""
    if pay_type.provider == WALLET or pay_type.code in COLLECTED_BY_STAFF:
        return True
    return provider_of(pay_type) is not None


def is_ever_collected(pay_type: PayType) -> bool:
    """Return True if payments of this pay type can ever be collected; False if its service has closed."""
    return bool(pay_type.provider) or pay_type.code in COLLECTED_BY_STAFF


def why_not_offered(pay_type: PayType) -> str:
    """Return why customers do not see a pay type, in the reader's language; empty if they do."""
    if not is_ever_collected(pay_type):
        return gettext("It can no longer be collected: its service has closed. Old orders keep its name.")
    if not can_be_used(pay_type):
        return gettext("Its provider is not set up in this shop.")
    return "" if pay_type.enabled else gettext("It is switched off.")
