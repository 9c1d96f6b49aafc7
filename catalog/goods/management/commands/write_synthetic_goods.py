"""`manage.py write_synthetic_goods`: writes a CSV file of synthetic products for benchmarks."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.goods.demo.synthetic import write_products


class Command(BaseCommand):
    help = (
        "Writes COUNT made-up goods of the demonstration's categories and brands to FILE, for import_goods: "
        "the same ones for the same seed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("count", type=int)
        parser.add_argument("file", type=Path)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            write_products(options["file"], options["count"], options["seed"])
        except ValueError as error:
            raise CommandError(str(error)) from None
