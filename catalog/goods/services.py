"""What is done to goods besides writing their rows."""

from catalog.goods.models import Product
from catalog.goods.models.wasprice import untrue

BATCH = 500


def clear_old_was_prices() -> int:
    """Take back the was-prices that were charged too long ago by now; returns how many."""
    told = Product.objects.filter(market_price__isnull=False).order_by("pk")
    cleared = last = 0
    while batch := list(told.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        wrong = [product.pk for product in untrue(batch)]
        if wrong:
            cleared += Product.objects.filter(pk__in=wrong).update(market_price=None)
    return cleared
