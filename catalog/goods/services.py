"""Clears was-prices that have become too old; products are written in `writing.py`."""

from django.utils import timezone

from catalog.goods.models import PriceChange, Product
from catalog.goods.wasprices import PricesShown, expired_was_prices
from catalog.goods.writing import update_products
from core.batches import short_batches

BATCH = 500


def clear_expired_was_prices() -> int:
    """Clear the was-prices that were charged too long ago by now; returns how many."""
    shown = Product.objects.filter(market_price__isnull=False).order_by("pk")
    cleared = last = 0
    while rows := list(shown.filter(pk__gt=last).values_list("pk", "price", "market_price")[:BATCH]):
        batch = [PricesShown(*row) for row in rows]
        last = batch[-1].product_id
        histories = PriceChange.histories(prices.product_id for prices in batch)
        for ids in short_batches(sorted(expired_was_prices(batch, histories, timezone.now()))):
            cleared += update_products(Product.objects.filter(pk__in=ids), market_price=None)
    return cleared
