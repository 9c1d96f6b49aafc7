"""Clears was-prices that have become too old; products are written in `writing.py`."""

from django.utils import timezone

from catalog.goods.models import PriceChange, Product
from catalog.goods.wasprices import PricesShown, expired_was_prices
from catalog.goods.writing import update_products
from core.batches import short_batches
from core.sweeps import sweep_batches


def clear_expired_was_prices() -> int:
    """Clear the was-prices that were charged too long ago by now; returns how many."""
    return sweep_batches("clear was-prices", Product.objects.filter(market_price__isnull=False), _clear)


def _clear(product_ids: list[int]) -> int:
    rows = Product.objects.filter(pk__in=product_ids, market_price__isnull=False)
    shown = [PricesShown(*row) for row in rows.order_by("pk").values_list("pk", "price", "market_price")]
    histories = PriceChange.histories(product_ids)
    expired = expired_was_prices(shown, histories, timezone.now())
    return sum(
        update_products(Product.objects.filter(pk__in=ids), market_price=None)
        for ids in short_batches(sorted(expired))
    )
