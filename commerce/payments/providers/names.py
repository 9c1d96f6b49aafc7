"""The names of the collectors of payments, as staff read them."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from commerce.payments.providers.registry import REAL, SANDBOX, STAFF, WALLET

# The names of the real ones are the same in every language.
_BRANDS = {"royalpay": "RoyalPay", "paypal": "PayPal"}
PROVIDER_NAMES: dict[str, str | Promise] = {
    **{name: _BRANDS[name] for name in REAL},
    WALLET: _("Wallet"),
    STAFF: _("Collected by staff"),
    SANDBOX.name: _("Sandbox, without money"),
}


def provider_name(key: str) -> str:
    """Return a provider's name for staff; the key itself, which may be empty, if it is unknown."""
    return str(PROVIDER_NAMES.get(key, key))
