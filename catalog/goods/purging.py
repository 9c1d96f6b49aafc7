"""Deletes days of sales and price changes that no page and no rule reads (docs/data-growth.md)."""

from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from catalog.goods.models import PriceChange, SoldDay
from core.clock import shop_zone
from core.due_rows import delete_in_batches

# Popularity covers ninety days; staff may compare a season with the previous one.
SALES_RETENTION = timedelta(days=800)
# A was-price needs ninety days; after that, the history proves that the was-price was charged.
PRICE_RETENTION = timedelta(days=2 * 365)


def delete_old_sales() -> int:
    """Delete old days of sales and return how many; the counters of the products keep the sum."""
    before = timezone.localdate(timezone=shop_zone()) - SALES_RETENTION
    return delete_in_batches(SoldDay.objects.filter(day__lt=before))


def delete_old_price_changes() -> int:
    """Delete prices that were replaced more than two years ago; return how many."""
    before = timezone.now() - PRICE_RETENTION
    later = PriceChange.objects.filter(
        product=OuterRef("product"), charged_from__gt=OuterRef("charged_from"), charged_from__lt=before
    )
    return delete_in_batches(PriceChange.objects.filter(Exists(later), charged_from__lt=before))
