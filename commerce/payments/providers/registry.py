"""Which provider answers for what in this configuration."""

from django.conf import settings

from commerce.payments.holding import COLLECTED_BY_STAFF
from commerce.payments.models import PayType
from commerce.payments.providers.base import Provider
from commerce.payments.sandbox.provider import SandboxProvider
from core.snapshots import SharedRows

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


def offered_pay_types() -> list[PayType]:
    """List the pay types that are switched on and can be used, in the shop's order.

    See docs/wire.md#paytypes. A query in SNAPSHOT_SECONDS.
    """
    return [row for row in _enabled.get() if _can_be_used(row)]


def _can_be_used(pay_type: PayType) -> bool:
    if pay_type.provider == WALLET or pay_type.code in COLLECTED_BY_STAFF:
        return True
    return provider_of(pay_type) is not None


_enabled = SharedRows(lambda: list(PayType.objects.filter(enabled=True)), PayType)
