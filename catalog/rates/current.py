"""The current exchange rate, and the conversion from dollars to CNY."""

from decimal import Decimal

from django.db.models import Q

from catalog.rates.models import ExchangeRate
from core.money import aud
from core.snapshots import SharedRows

# A rate set by staff applies until they end it.
_COUNTS = Q(status=ExchangeRate.Status.accepted) & (Q(is_override=False) | Q(ended_at=None))


# The rate that this process read last.
_last: ExchangeRate | None = None


def current_rate() -> ExchangeRate | None:
    """Return the rate set by staff, otherwise the newest accepted rate, otherwise None; one query."""
    global _last
    _last = ExchangeRate.objects.filter(_COUNTS).order_by("-is_override", *ExchangeRate.NEWEST_FIRST).first()
    return _last


def last_read() -> ExchangeRate | None:
    """Return the rate that this process read last, without a query."""
    return _last


def rate_now() -> Decimal:
    """Return the current rate in CNY per AUD, or the default until a rate has been fetched.

    Runs at most one query per SNAPSHOT_SECONDS.
    """
    found = _shared.get()
    return found.rate if found else ExchangeRate.DEFAULT_RATE


def forget_rate() -> None:
    """Make `rate_now` read the rate again, after it changed."""
    _shared.invalidate()


_shared = SharedRows(current_rate, ExchangeRate)


def cny_text(amount: Decimal, rate: Decimal) -> str:
    """Return an amount in dollars as an approximate text in CNY: ≈ ¥19.50."""
    return f"≈ ¥{aud(amount * rate):,}"
