"""PayPal (docs/paypal.md)."""

from commerce.payments.providers.paypal.provider import PayPalProvider

__all__ = ["PayPalProvider"]
