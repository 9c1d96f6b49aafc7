"""Clears was-prices that are too old; `writing.py` writes products."""

from django.db import transaction
from django.utils import timezone

from catalog.goods.models import PriceChange, Product
from catalog.goods.wasprices import PricesShown, expired_was_prices
from catalog.goods.writing import update_products
from core.batches import short_batches
from core.due_rows import process_in_batches


def clear_expired_was_prices() -> int:
    """Clear the was-prices that were charged too long ago; return how many."""
    return process_in_batches("clear was-prices", Product.objects.filter(market_price__isnull=False), _clear)


def _clear(product_ids: list[int]) -> int:
    return sum(_clear_together(ids) for ids in short_batches(sorted(_expired(product_ids))))


@transaction.atomic
def _clear_together(product_ids: list[int]) -> int:
    # An editor may have changed the was-price after the first read.
    products = Product.objects.filter(pk__in=product_ids)
    list(products.order_by("pk").select_for_update(no_key=True).values("pk"))
    return update_products(products.filter(pk__in=_expired(product_ids)), market_price=None)


def _expired(product_ids: list[int]) -> set[int]:
    rows = Product.objects.filter(pk__in=product_ids, market_price__isnull=False)
    shown = [PricesShown(*row) for row in rows.order_by("pk").values_list("pk", "price", "market_price")]
    return expired_was_prices(shown, PriceChange.histories(product_ids), timezone.now())
