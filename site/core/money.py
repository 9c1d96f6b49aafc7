"""Amounts in Australian dollars: Decimal with two places, rounded half up, in this module only.

See docs/guarantees/money.md#money.
"""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import TypeVar

K = TypeVar("K")

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def aud(value: Decimal | int | str) -> Decimal:
    """Return an amount in dollars, rounded half up to whole cents."""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def aud_text(amount: Decimal) -> str:
    """Return an amount in dollars as prices show it: A$3.90."""
    return f"A${aud(amount):,}"


def gst_share(gross: Decimal, *, gst_free: bool) -> Decimal:
    """Return the GST in a price that includes it: one eleventh, or zero for GST-free products."""
    return ZERO if gst_free else aud(gross / 11)


def spread(amount: Decimal, parts: Mapping[K, Decimal]) -> dict[K, Decimal]:
    """Spread an amount over parts in proportion to their costs, to the cent, by the largest remainders.

    `amount`: dollars, at most the sum of `parts`. No part gets more than its cost; parts that get nothing are
    not in the result. Of equal remainders the first part is preferred. See docs/guarantees/money.md#money.
    """
    whole, cents = _cents(sum(parts.values(), ZERO)), _cents(amount)
    if cents <= 0 or whole <= 0:
        return {}
    # In whole cents, because a rounded quotient of dollars would make equal remainders differ.
    divided = {key: divmod(cents * _cents(cost), whole) for key, cost in parts.items()}
    shares = {key: share for key, (share, _) in divided.items()}
    by_remainder = sorted(divided, key=lambda key: divided[key][1], reverse=True)
    for key in by_remainder[: cents - sum(shares.values())]:
        shares[key] += 1
    return {key: share * CENT for key, share in shares.items() if share}


def _cents(amount: Decimal) -> int:
    return int(amount / CENT)
