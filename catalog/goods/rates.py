"""The exchange rate that prices are shown with besides dollars (CONTRACT 2, exchangeRate)."""

from decimal import Decimal

from catalog.goods.models import ExchangeRate


def current_rate() -> ExchangeRate | None:
    """Return the newest rate, None until one has been fetched."""
    return ExchangeRate.objects.first()


def rate_now() -> Decimal:
    """Return CNY for one AUD: the newest rate, or the default until one has been fetched."""
    newest = current_rate()
    return newest.rate if newest else ExchangeRate.DEFAULT_RATE
