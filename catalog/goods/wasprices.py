"""Was-prices: only a price that the shop really charged, and recently, may be shown as a was-price.

Australian Consumer Law forbids comparison with a price that was not charged for a reasonable time.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from django.utils.translation import gettext as _

# A price counts if it was charged this long without interruption and ended no longer ago than this.
CHARGED_FOR, CHARGED_WITHIN = timedelta(days=7), timedelta(days=90)


class ChargedPrice(NamedTuple):
    """A price in dollars and the time from which it was charged."""

    price: Decimal
    since: datetime


class PricesShown(NamedTuple):
    """The two prices in dollars that a product's card shows."""

    product_id: int
    price: Decimal
    was_price: Decimal | None


def charged_prices(history: Sequence[ChargedPrice], at: datetime) -> set[Decimal]:
    """Return the prices in dollars that may be shown as was-prices at a time.

    `history`: one product's prices, the oldest first. The current price is included once it is a week old,
    because it becomes a was-price as soon as a lower price applies.
    """
    ends = [*(later.since for later in history[1:]), at]
    return {
        charged.price
        for charged, end in zip(history, ends, strict=False)
        if end - charged.since >= CHARGED_FOR and end >= at - CHARGED_WITHIN
    }


def was_price_fault(price: Decimal, was: Decimal | None, charged: set[Decimal]) -> str:
    """Return why a was-price may not be shown with a price, in the editor's language; empty if it may.

    `charged`: the result of `charged_prices` for the product. All amounts are in dollars.
    """
    allowed = sorted(amount for amount in charged if amount > price)
    if was is None or was in allowed:
        return ""
    if was <= price:
        return _("A was-price must be above the price.")
    values = {"was": f"A${was}", "days": CHARGED_FOR.days, "within": CHARGED_WITHIN.days}
    fault = _(
        "%(was)s was not charged for %(days)d days on end within the last %(within)d days, so it may not be "
        "shown as a was-price."
    )
    if not allowed:
        return " ".join([fault % values, _("No earlier price may be shown now.")])
    prices = {"prices": ", ".join(f"A${amount}" for amount in allowed)}
    return " ".join([fault % values, _("Prices that may be shown: %(prices)s.") % prices])


def expired_was_prices(
    products: Iterable[PricesShown], histories: Mapping[int, Sequence[ChargedPrice]], at: datetime
) -> set[int]:
    """Return the ids of the products whose was-price may not be shown at a time.

    `histories`: product id → prices, the oldest first; a missing product was never charged.
    """
    return {
        shown.product_id
        for shown in products
        if shown.was_price is not None
        and (
            shown.was_price <= shown.price
            or shown.was_price not in charged_prices(histories.get(shown.product_id, ()), at)
        )
    }
