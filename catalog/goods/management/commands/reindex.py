"""`manage.py reindex`: compares the search index with products, brands and categories, and repairs it."""

from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from catalog.goods.reindexing import parts, repair


class Command(BaseCommand):
    help = (
        "Compares the search index with goods, brands and categories and repairs it, in small transactions "
        "while the shop runs. Needed after an upgrade that changes how names are indexed."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Repair the index batch by batch."""
        changed = sum(repair(*part) for part in tqdm(parts(), desc="search index", disable=None))
        self.stdout.write(f"search index: {changed} postings changed")
