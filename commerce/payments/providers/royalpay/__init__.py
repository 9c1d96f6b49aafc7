"""RoyalPay: cards, WeChat and Alipay in Australia (docs/royalpay.md)."""

from commerce.payments.providers.royalpay.provider import RoyalPayProvider

__all__ = ["RoyalPayProvider"]
