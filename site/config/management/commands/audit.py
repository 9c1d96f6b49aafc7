"""`manage.py audit`: checks that the books agree."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from config.audits.books import all_differences
from core.audit import Difference, snapshot

# From this verbosity on, the time of each app is printed.
SHOWS_TIMES = 2


class Command(BaseCommand):
    """Prints each difference, and exits with 1 if there is any; corrects nothing (docs/audit.md)."""

    help = (
        "Check that the books agree: products, stock, wallets, orders, parcels, payments and everything else."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print one JSON document.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run all rules on one snapshot of the database; times are printed to standard error."""
        with snapshot():
            found = all_differences(self._print_time if options["verbosity"] >= SHOWS_TIMES else None)
            count = (self._print_json if options["json"] else self._print_lines)(found)
        if count:
            raise SystemExit(1)

    def _print_time(self, app: str, seconds: float) -> None:
        self.stderr.write(f"{app}: {seconds:.2f} s")

    def _print_lines(self, found: Iterator[Difference]) -> int:
        count = 0
        for difference in found:
            self.stdout.write(str(difference))
            count += 1
        self.stdout.write(f"{count} differences")
        return count

    def _print_json(self, found: Iterator[Difference]) -> int:
        """Write each difference as soon as it is found, so that memory stays small."""
        count = 0
        self.stdout.write('{"differences": [', ending="")
        for difference in found:
            line = json.dumps(difference.as_json(), ensure_ascii=False)
            self.stdout.write(f",\n{line}" if count else line, ending="")
            count += 1
        self.stdout.write(f'], "count": {count}}}')
        return count
