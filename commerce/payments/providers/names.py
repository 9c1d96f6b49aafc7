"""The names of payment providers, the wallet and staff collection, for staff."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from commerce.payments.providers.registry import REAL, SANDBOX, STAFF, WALLET

# Brand names are the same in every language.
_BRANDS = {"royalpay": "RoyalPay", "paypal": "PayPal"}
PROVIDER_NAMES: dict[str, str | Promise] = {
    **{name: _BRANDS[name] for name in REAL},
    WALLET: _("Wallet"),
    STAFF: _("Collected by staff"),
    SANDBOX.name: _("Sandbox, without money"),
}


def provider_name(key: str) -> str:
    """Return a provider's name for staff; an unknown key, which may be empty, is returned unchanged."""
    return str(PROVIDER_NAMES.get(key, key))
