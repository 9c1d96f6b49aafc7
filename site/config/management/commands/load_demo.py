"""`manage.py load_demo`: fills an empty shop with the demonstration (docs/product.md#the-demonstration)."""

from argparse import ArgumentParser
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

import catalog.goods
from catalog.goods.models import Brand, Product
from catalog.goods.writing import save_brands
from catalog.search.models import Posting
from catalog.search.synonyms import load_synonyms
from commerce.accounts.models import MemberLevel
from commerce.payments.hold_times import COLLECTED_BY_STAFF
from commerce.payments.models import PayType
from config.demo.customers import load_customers
from config.demo.places import load_export_limits, load_places
from config.demo.promotions import load_promotions
from config.demo.staff import load_staff, password_file
from config.health import unapplied_migrations
from content.demo import load_demo_content

CATALOGUE = Path(catalog.goods.__file__).parent / "demo"

# Pinned brands, since a new shop has no sales.
POPULAR = (
    "Lee Kum Kee",
    "Lao Gan Ma",
    "Nongshim",
    "Swisse",
    "Kikkoman",
    "White Rabbit",
    "Haitian",
    "Glico",
)
# The member levels: number → yearly spend in AUD, points per dollar (docs/product.md#member-levels).
LEVELS = {2: (Decimal(500), Decimal("1.25")), 3: (Decimal(2000), Decimal("1.50"))}


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
        # The catalogue is loaded only once, in one transaction, since staff may change it afterwards.
        if not Product.objects.exists():
            call_command("import_goods", str(CATALOGUE), atomic=True, stdout=self.stdout)
            # Every pay type and every label of an order can be tried.
            for pay_type in PayType.objects.filter(code__in=COLLECTED_BY_STAFF):
                pay_type.enabled = True
                pay_type.save(update_fields=["enabled"])
        elif not Posting.objects.exists():
            # The shop comes from a version without the search index.
            call_command("reindex", stdout=self.stdout)
        load_export_limits()
        _load_popular_brands()
        load_synonyms()
        load_promotions()
        _load_levels()
        load_customers()
        fresh = load_staff()
        load_demo_content()
        for name, password in fresh.items():
            self.stdout.write(f"back office: user {name}, password {password}")
        self.stdout.write(f"The demonstration is loaded; back office passwords: {password_file()}")


def _load_popular_brands() -> None:
    """Pin the popular brands, unless some brands are pinned; safe to repeat."""
    if Brand.objects.exclude(popular_place=None).exists():
        return
    brands = list(Brand.objects.filter(name_en__in=POPULAR))
    for brand in brands:
        brand.popular_place = POPULAR.index(brand.name_en) + 1
    save_brands(brands, ["popular_place"])


def _load_levels() -> None:
    """Set spend and points of the levels that staff have not set."""
    for level in MemberLevel.objects.filter(pk__in=LEVELS, yearly_spend=None):
        level.yearly_spend, level.points_rate = LEVELS[level.number]
        level.save()
