"""`manage.py load_demo`: fills an empty shop with the demonstration (docs/product.md#the-demonstration)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

import catalog.goods
from catalog.goods.models import Product
from catalog.search.models import Posting
from catalog.search.synonyms import load_synonyms
from config.demo.brands import load_popular_brands
from config.demo.customers import load_customers
from config.demo.levels import load_levels
from config.demo.places import load_export_limits, load_places
from config.demo.promotions import load_promotions
from config.demo.staff import load_staff, password_file
from config.health import unapplied_migrations
from content.demo import load_demo_content

CATALOGUE = Path(catalog.goods.__file__).parent / "demo"


class Command(BaseCommand):
    help = (
        "Loads the demonstration: catalogue, stock, shops, freight, customers, staff, pages. Safe to repeat."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--migrate", action="store_true", help="Migrate the database first, if needed.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["migrate"] and unapplied_migrations():
            call_command("migrate", verbosity=0)
        load_places()
        # The catalogue is loaded only once, in one transaction; after that staff may change it.
        if not Product.objects.exists():
            call_command("import_goods", str(CATALOGUE), atomic=True, stdout=self.stdout)
        elif not Posting.objects.exists():
            # A shop from a version without the search index.
            call_command("reindex", stdout=self.stdout)
        load_export_limits()
        load_popular_brands()
        load_synonyms()
        load_promotions()
        load_levels()
        load_customers()
        fresh = load_staff()
        load_demo_content()
        for name, password in fresh.items():
            self.stdout.write(f"back office: user {name}, password {password}")
        self.stdout.write(f"The demonstration is loaded; back office passwords: {password_file()}")
