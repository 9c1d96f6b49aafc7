"""Which provider answers for what in this configuration."""

from django.conf import settings

from commerce.payments.models import PayType
from commerce.payments.providers.base import Provider
from commerce.payments.sandbox.provider import SandboxProvider

# The customer's own balance: paid within the shop, by no provider.
WALLET = "wallet"
# The gateways that the sandbox stands in for.
STOOD_IN_FOR = frozenset({"royalpay", "paypal"})

_sandbox = SandboxProvider()


def provider_named(name: str) -> Provider | None:
    """Return a provider by the name its payments carry; None when this configuration does not have it."""
    return _sandbox if name == _sandbox.name and settings.SANDBOX_GATEWAY else None


def provider_of(pay_type: PayType) -> Provider | None:
    """Return who collects for a pay type; None when nobody does in this configuration."""
    return provider_named(_sandbox.name) if pay_type.provider in STOOD_IN_FOR else None


def offered() -> list[PayType]:
    """List the pay types that are switched on and can be used, in the shop's order (CONTRACT 4, payTypes)."""
    return [row for row in PayType.objects.filter(enabled=True) if row.provider == WALLET or provider_of(row)]
