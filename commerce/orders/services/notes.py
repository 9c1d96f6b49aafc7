"""Adds notes of staff to orders."""

from django.contrib.auth.models import User

from commerce.orders.models import Order, OrderNote
from core.errors import Err, ShopError


def add_note(*, order: Order, staff: User, text: str) -> OrderNote:
    """Add a note that only staff read, whatever the order's status; raises ShopError(note_missing)."""
    if not text.strip():
        raise ShopError(Err.note_missing, fields={"note": "note_missing"})
    return OrderNote.objects.create(order=order, staff=staff, text=text.strip())
