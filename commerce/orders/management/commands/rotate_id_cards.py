"""`manage.py rotate_id_cards`: encrypts recipients' ID card numbers with the newest key."""

from typing import Any

from django.core.management.base import BaseCommand

from commerce.orders.services.id_cards import rotate_id_cards


class Command(BaseCommand):
    help = (
        "Encrypts the recipients' ID cards with the first of ID_CARD_KEYS while the shop runs; after "
        "that the other keys may go."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Encrypt all numbers, batch by batch."""
        self.stdout.write(f"ID cards: {rotate_id_cards()} encrypted with the newest key")
