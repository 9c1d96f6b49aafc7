"""Deletes expired codes, promotion shares and ID cards of orders (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from catalog.promotions.models import PromotionItem
from commerce.orders.models import PromotionUse, RecipientIdCard, Trade
from core.due_rows import delete_in_batches

# No client uses a code that expired longer ago.
TRADE_RETENTION = timedelta(days=1)
# A late payment may need the row within this time.
USE_RETENTION = timedelta(days=30)


def delete_expired_trades() -> int:
    """Delete the codes without an order that expired more than a day ago; return their number.

    Codes with an order stay, so that a repeated request returns the same order.
    """
    before = timezone.now() - TRADE_RETENTION
    return delete_in_batches(Trade.objects.filter(payload_hash="", expires_at__lt=before))


def delete_unused_shares() -> int:
    """Delete the empty shares of promotions that ended a month ago; return their number."""
    before = timezone.now() - USE_RETENTION
    ended = PromotionItem.objects.filter(promotion__ends_at__lt=before)
    # A subquery, not a join: after waiting for a row lock, PostgreSQL checks `amount` again only if it is a
    # condition on the row itself.
    return delete_in_batches(PromotionUse.objects.filter(amount=0, item__in=ended))


def delete_id_cards() -> int:
    """Delete expired ID cards and return their number (docs/guarantees/customers.md#id-cards)."""
    return delete_in_batches(RecipientIdCard.objects.filter(delete_at__lte=timezone.now()))
