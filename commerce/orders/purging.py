"""Deletes what orders leave behind that has served its time (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from catalog.promotions.models import PromotionItem
from commerce.orders.models import PromotionUse, RecipientIdCard, Trade
from core.due_rows import delete_in_batches

# After this time no client uses an expired code any more.
TRADE_RETENTION = timedelta(days=1)
# A late payment may need the row for as long.
USE_RETENTION = timedelta(days=30)


def delete_expired_trades() -> int:
    """Delete the codes without an order that expired over a day ago; returns how many.

    Those with an order stay: they answer the same request with the same order.
    """
    before = timezone.now() - TRADE_RETENTION
    return delete_in_batches(Trade.objects.filter(payload_hash="", expires_at__lt=before))


def delete_unused_shares() -> int:
    """Delete what customers took and gave back of promotions that ended a month ago; returns how many."""
    before = timezone.now() - USE_RETENTION
    ended = PromotionItem.objects.filter(promotion__ends_at__lt=before)
    # Without a join: after waiting for a row PostgreSQL looks at its amount again only where that is the
    # condition of the row itself.
    return delete_in_batches(PromotionUse.objects.filter(amount=0, item__in=ended))


def delete_id_cards() -> int:
    """Delete expired ID cards and return their number (docs/guarantees/customers.md#id-cards)."""
    return delete_in_batches(RecipientIdCard.objects.filter(delete_at__lte=timezone.now()))
