"""Was-prices: only what the shop really charged, and not long ago, may be shown as one.

Australian Consumer Law forbids to compare with a price at which goods were not sold for a reasonable time.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.goods.models.prices import PriceChange

if TYPE_CHECKING:
    from catalog.goods.models.products import Product

# A price counts that was charged for so long on end, to within so long of now.
CHARGED_FOR, CHARGED_WITHIN = timedelta(days=7), timedelta(days=90)


def charged_prices(product_ids: Iterable[int], now: datetime | None = None) -> dict[int, set[Decimal]]:
    """Return the prices in dollars that each good was charged long and lately enough to tell; one query.

    The price of today is one of them once it is a week old: it is a was-price as soon as a lower one holds.
    """
    at = now or timezone.now()
    found: dict[int, set[Decimal]] = defaultdict(set)
    changes = PriceChange.objects.filter(product__in=list(product_ids)).order_by(
        "product_id", "charged_from", "id"
    )
    rows = changes.values_list("product_id", "price", "charged_from")
    for product_id, group in groupby(rows, key=lambda row: row[0]):
        charged = [(price, start) for _pk, price, start in group]
        ends = [*(start for _price, start in charged[1:]), at]
        for (price, start), end in zip(charged, ends, strict=True):
            if end - start >= CHARGED_FOR and end >= at - CHARGED_WITHIN:
                found[product_id].add(price)
    return found


def was_price_fault(price: Decimal, was: Decimal | None, charged: set[Decimal]) -> str:
    """Say in the editor's language why a was-price may not stand beside a price; empty where it may.

    `charged`: what `charged_prices` found for the good. All in dollars.
    """
    allowed = sorted(amount for amount in charged if amount > price)
    if was is None or was in allowed:
        return ""
    if was <= price:
        return _("A was-price must be above the price.")
    told = {"was": f"${was}", "days": CHARGED_FOR.days, "within": CHARGED_WITHIN.days}
    fault = _(
        "%(was)s was not charged for %(days)d days on end within the last %(within)d days, so it may not be "
        "shown as a was-price."
    )
    if not allowed:
        return " ".join([fault % told, _("No earlier price may be shown now.")])
    prices = {"prices": ", ".join(f"${amount}" for amount in allowed)}
    return " ".join([fault % told, _("Prices that may be shown: %(prices)s.") % prices])


def untrue(products: Sequence["Product"], now: datetime | None = None) -> list["Product"]:
    """Return the goods whose was-price may not be shown at a time; one query at most."""
    told = [(product, product.market_price) for product in products if product.market_price is not None]
    if not told:
        return []
    charged = charged_prices((product.pk for product, _was in told), now)
    return [product for product, was in told if was <= product.price or was not in charged[product.pk]]
