"""Empties abandoned carts (docs/data-growth.md)."""

from datetime import timedelta

from django.db.models.functions import Coalesce
from django.utils import timezone

from commerce.cart.models import CartItem
from core.due_rows import delete_in_batches

# Longer than a login can last, so that no logged-in customer loses a cart.
RETENTION = timedelta(days=365)


def delete_abandoned_items() -> int:
    """Delete the cart lines of customers who have not logged in for a year; return the number of lines."""
    last_seen = Coalesce("customer__last_login_at", "customer__created_at")
    items = CartItem.objects.alias(last_seen=last_seen)
    return delete_in_batches(items.filter(last_seen__lt=timezone.now() - RETENTION))
