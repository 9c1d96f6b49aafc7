"""Deletes days of sales and price changes that no page and no rule reads any more (docs/data-growth.md)."""

from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from catalog.goods.models import PriceChange, SoldDay
from core.clock import shop_zone
from core.due_rows import delete_in_batches

# Popularity looks back ninety days; staff may compare a season with the last one.
SALES_RETENTION = timedelta(days=800)
# A was-price needs ninety days; afterwards the history is the evidence that it was true.
PRICE_RETENTION = timedelta(days=2 * 365)


def delete_old_sales() -> int:
    """Delete what was sold on days long ago; the products' own counters keep the sum. Returns how many."""
    before = timezone.localdate(timezone=shop_zone()) - SALES_RETENTION
    return delete_in_batches(SoldDay.objects.filter(day__lt=before))


def delete_old_price_changes() -> int:
    """Delete prices that others had replaced over two years ago; returns how many."""
    before = timezone.now() - PRICE_RETENTION
    later = PriceChange.objects.filter(
        product=OuterRef("product"), charged_from__gt=OuterRef("charged_from"), charged_from__lt=before
    )
    return delete_in_batches(PriceChange.objects.filter(Exists(later), charged_from__lt=before))
