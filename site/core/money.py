"""Amounts in Australian dollars: Decimal with two places, rounded half up, here only.

See docs/guarantees.md#money.
"""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def aud(value: Decimal | int | str) -> Decimal:
    """Round an amount of dollars half up to whole cents."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def gst_share(gross: Decimal, *, gst_free: bool) -> Decimal:
    """Return the GST in a price that includes it: one eleventh, or nothing for GST-free products."""
    return ZERO if gst_free else aud(gross / 11)
