"""`manage.py run_double`: a double of a payment provider, for a shop that a developer runs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from commerce.payments.doubles.paypal import PayPalDouble
from commerce.payments.doubles.royalpay import RoyalPayDouble
from commerce.payments.doubles.server import Double

PORT = 8701
DOUBLES: dict[str, type[Double]] = {"paypal": PayPalDouble, "royalpay": RoyalPayDouble}


class Command(BaseCommand):
    """Answers until Ctrl-C and prints the conversation.

    See docs/royalpay.md#the-double, docs/paypal.md#the-double.
    """

    help = "Run the double of a payment provider on this machine; no money moves."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", choices=sorted(DOUBLES))
        parser.add_argument("--port", type=int, default=PORT)

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the settings that lead a shop to the double, then answer."""
        with DOUBLES[options["name"]](options["port"], echo=True) as double:
            for name, value in double.settings.items():
                self.stdout.write(f"{name}={value}")
            self.stdout.write(f"# {double.url}/control pays, refuses and breaks. Ctrl-C ends it.")
            self.stdout.flush()
            try:
                double.serve_forever()
            except KeyboardInterrupt:
                double.stopped.set()
