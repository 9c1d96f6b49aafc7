"""Which rate holds now, and what dollars come to at it."""

from decimal import Decimal

from django.db.models import Q

from catalog.goods.models import ExchangeRate
from core.money import aud

# An override counts until staff end it.
_COUNTS = Q(status=ExchangeRate.Status.accepted) & (Q(is_override=False) | Q(ended_at=None))


# What this process has read last.
_last: ExchangeRate | None = None


def current_rate() -> ExchangeRate | None:
    """Return the rate that holds, staff's own before the newest accepted one; None before the first."""
    global _last
    _last = ExchangeRate.objects.filter(_COUNTS).order_by("-is_override", *ExchangeRate.NEWEST_FIRST).first()
    return _last


def last_read() -> ExchangeRate | None:
    """Return the rate that a page has been made with just now, without asking for it again."""
    return _last


def rate_now() -> Decimal:
    """Return CNY for one AUD: the rate that holds, or the default until one has been fetched."""
    found = current_rate()
    return found.rate if found else ExchangeRate.DEFAULT_RATE


def cny_text(amount: Decimal, rate: Decimal) -> str:
    """Write what dollars come to in CNY at a rate, as a guide: ≈ ¥19.50."""
    return f"≈ ¥{aud(amount * rate):,}"
