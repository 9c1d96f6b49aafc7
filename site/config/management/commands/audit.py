"""`manage.py audit`: checks that the books agree."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from catalog.goods import audit as products
from catalog.goods import reindexing as search
from catalog.stock import audit as stock
from commerce.invoices import audit as invoices
from commerce.ledger import audit as ledger
from commerce.messaging import audit as messages
from commerce.notifications import audit as notifications
from commerce.orders import audit as orders
from commerce.payments import audit as payments
from commerce.shipments import audit as shipments
from core.audit import Difference, run_rules, snapshot


class Command(BaseCommand):
    """Prints each contradiction and ends with 1 if there is any; corrects nothing (docs/guarantees.md)."""

    help = "Check products, search index, stock, wallets, orders, parcels, payments, invoices and messages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print one JSON document.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run every check, all on the same snapshot of the database."""
        with snapshot():
            count = (self._print_json if options["json"] else self._print_lines)(all_differences())
        if count:
            raise SystemExit(1)

    def _print_lines(self, found: Iterator[Difference]) -> int:
        count = 0
        for difference in found:
            self.stdout.write(str(difference))
            count += 1
        self.stdout.write(f"{count} differences")
        return count

    def _print_json(self, found: Iterator[Difference]) -> int:
        """Write each difference as soon as it is found, so that none is kept in memory."""
        count = 0
        self.stdout.write('{"differences": [', ending="")
        for difference in found:
            line = json.dumps(difference.as_json(), ensure_ascii=False)
            self.stdout.write(f",\n{line}" if count else line, ending="")
            count += 1
        self.stdout.write(f'], "count": {count}}}')
        return count


def all_differences() -> Iterator[Difference]:
    """Name every contradiction in the books, one app after the other."""
    yield from run_rules(
        *(
            app.differences
            for app in (
                products,
                search,
                stock,
                ledger,
                orders,
                shipments,
                payments,
                invoices,
                notifications,
                messages,
            )
        )
    )
