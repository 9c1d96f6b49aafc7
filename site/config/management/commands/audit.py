"""`manage.py audit`: checks that the books agree."""

from typing import Any

from django.core.management.base import BaseCommand

from catalog.goods import audit as products
from catalog.goods import reindexing as search
from catalog.stock import audit as stock
from commerce.ledger import audit as ledger
from commerce.orders import audit as orders
from commerce.payments import audit as payments


class Command(BaseCommand):
    """Prints each contradiction and ends with 1 if there is any; corrects nothing (docs/guarantees.md)."""

    help = "Check products, the search index, stock, wallets, orders and payments against each other."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run every check."""
        found = [
            row for app in (products, search, stock, ledger, orders, payments) for row in app.differences()
        ]
        for row in found:
            self.stdout.write(row)
        self.stdout.write(f"{len(found)} differences")
        if found:
            raise SystemExit(1)
