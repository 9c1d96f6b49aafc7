"""The current exchange rate, and dollars in CNY."""

from decimal import Decimal

from django.db.models import Q

from catalog.rates.models import ExchangeRate
from core.money import aud
from core.snapshots import SharedRows

# A rate set by staff is in force until they end it.
_COUNTS = Q(status=ExchangeRate.Status.accepted) & (Q(is_override=False) | Q(ended_at=None))


# The rate that this process has read last.
_last: ExchangeRate | None = None


def current_rate() -> ExchangeRate | None:
    """Return the current rate, one set by staff before the newest accepted one; None before the first."""
    global _last
    _last = ExchangeRate.objects.filter(_COUNTS).order_by("-is_override", *ExchangeRate.NEWEST_FIRST).first()
    return _last


def last_read() -> ExchangeRate | None:
    """Return the rate that this process has read last, without a query."""
    return _last


def rate_now() -> Decimal:
    """Return CNY for one AUD: the current rate, or the default until one has been fetched.

    A query in SNAPSHOT_SECONDS.
    """
    found = _shared.get()
    return found.rate if found else ExchangeRate.DEFAULT_RATE


def forget_rate() -> None:
    """Let `rate_now` read the rate again, after a change of it."""
    _shared.invalidate()


_shared = SharedRows(current_rate, ExchangeRate)


def cny_text(amount: Decimal, rate: Decimal) -> str:
    """Return an amount in dollars as CNY at a rate, as a guide: ≈ ¥19.50."""
    return f"≈ ¥{aud(amount * rate):,}"
