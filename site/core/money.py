"""Amounts in Australian dollars: Decimal with two places, rounded half up, here only (RELIABILITY 2.12)."""

from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def aud(value: Decimal | int | str) -> Decimal:
    """Round an amount of dollars half up to whole cents."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def gst_share(gross: Decimal, *, gst_free: bool) -> Decimal:
    """Return the GST in a price that includes it: one eleventh, or nothing for GST-free goods."""
    return ZERO if gst_free else aud(gross / 11)


def share_out(total: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """Split an amount in proportion to weights by largest remainder, so that the parts add up exactly.

    `total` in dollars; `weights` non-negative. Equal remainders go to the earlier part.
    """
    whole = sum(weights, Decimal(0))
    if not whole:
        return [ZERO for _ in weights]
    exact = [total * weight / whole for weight in weights]
    parts = [part.quantize(CENT, rounding=ROUND_DOWN) for part in exact]
    missing = int((total - sum(parts, ZERO)) / CENT)
    by_remainder = sorted(range(len(parts)), key=lambda i: (parts[i] - exact[i], i))
    for i in by_remainder[:missing]:
        parts[i] += CENT
    return parts
