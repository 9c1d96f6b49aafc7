"""Which provider answers for what in this configuration."""

from django.conf import settings
from django.utils.translation import gettext

from commerce.payments.holding import COLLECTED_BY_STAFF
from commerce.payments.models import PayType
from commerce.payments.pay_types import pay_types
from commerce.payments.providers.base import Provider
from commerce.payments.restrictions import Purchase, fits
from commerce.payments.sandbox.provider import SandboxProvider

# The customer's own balance, which no provider collects.
WALLET = "wallet"
WALLET_PAY_TYPE = "0"
# What staff collect and record; a payment's own name for it, of which no pay type has a provider.
STAFF = "staff"
SANDBOXED_PROVIDERS = frozenset({"royalpay", "paypal"})

SANDBOX: Provider = SandboxProvider()


def provider_named(name: str) -> Provider | None:
    """Return a provider by the name in its payments; None where it is not configured."""
    return SANDBOX if name == SANDBOX.name and settings.SANDBOX_GATEWAY else None


def provider_of(pay_type: PayType) -> Provider | None:
    """Return the provider that collects for a pay type; None where none is configured."""
    return provider_named(SANDBOX.name) if pay_type.provider in SANDBOXED_PROVIDERS else None


def offered_pay_types(purchase: Purchase | None = None) -> list[PayType]:
    """List the pay types that are switched on, can be used and fit a purchase, in the shop's order.

    See docs/wire.md#paytypes. Queries as `pay_types`.
    """
    wanted = purchase or Purchase()
    return [row for row in pay_types() if is_offered(row) and fits(row, wanted)]


def is_offered(pay_type: PayType) -> bool:
    """Tell whether a pay type is switched on and can be used."""
    return pay_type.enabled and can_be_used(pay_type)


def can_be_used(pay_type: PayType) -> bool:
    """Tell whether somebody collects for a pay type in this configuration."""
    if pay_type.provider == WALLET or pay_type.code in COLLECTED_BY_STAFF:
        return True
    return provider_of(pay_type) is not None


def is_ever_collected(pay_type: PayType) -> bool:
    """Tell whether anybody could collect for a pay type: not for one whose service has closed."""
    return bool(pay_type.provider) or pay_type.code in COLLECTED_BY_STAFF


def why_not_offered(pay_type: PayType) -> str:
    """Say in the reader's language why customers do not see a pay type; empty where they do."""
    if not is_ever_collected(pay_type):
        return gettext("Nobody collects it any more: its service has closed. Old orders keep its name.")
    if not can_be_used(pay_type):
        return gettext("Its provider is not set up in this shop.")
    return "" if pay_type.enabled else gettext("It is switched off.")
