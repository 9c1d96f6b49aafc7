"""`manage.py id_card`: prints the ID card number of an order's recipient, for the customs declaration."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from commerce.orders.services.id_cards import read_id_card


class Command(BaseCommand):
    help = "Writes the ID card of the recipient of ORDER_NO in clear, for its customs declaration."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("order_no")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the number, or fail if none is stored."""
        number = read_id_card(order_no=options["order_no"])
        if number is None:
            raise CommandError("No ID card is kept for this order.")
        self.stdout.write(number)
