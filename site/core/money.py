"""Amounts in Australian dollars: Decimal with two places, rounded half up, here only.

See docs/guarantees.md#money.
"""

from collections.abc import Mapping
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import TypeVar

K = TypeVar("K")

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def aud(value: Decimal | int | str) -> Decimal:
    """Round an amount of dollars half up to whole cents."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def gst_share(gross: Decimal, *, gst_free: bool) -> Decimal:
    """Return the GST in a price that includes it: one eleventh, or nothing for GST-free products."""
    return ZERO if gst_free else aud(gross / 11)


def spread(amount: Decimal, parts: Mapping[K, Decimal]) -> dict[K, Decimal]:
    """Spread an amount over parts in proportion to what each costs, to the cent: the largest remainder first.

    `amount`: dollars, at most the sum of `parts`; no part gets more than it costs. Parts that get nothing are
    left out. See docs/guarantees.md#money.
    """
    whole = sum(parts.values(), ZERO)
    if amount <= 0 or whole <= 0:
        return {}
    exact = {key: amount * cost / whole for key, cost in parts.items()}
    shares = {key: share.quantize(CENT, rounding=ROUND_FLOOR) for key, share in exact.items()}
    cents_left = int((amount - sum(shares.values(), ZERO)) / CENT)
    by_remainder = sorted(exact, key=lambda key: exact[key] - shares[key], reverse=True)
    for key in by_remainder[:cents_left]:
        shares[key] += CENT
    return {key: share for key, share in shares.items() if share}
