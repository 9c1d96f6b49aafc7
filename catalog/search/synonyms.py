"""Loads the demonstration's synonyms."""

import csv
from pathlib import Path

from catalog.search.models import Synonym

FILE = Path(__file__).parent / "demo" / "synonyms.csv"


def load_synonyms() -> None:
    """Load the demonstration's synonyms, unless the shop has some."""
    if Synonym.objects.exists():
        return
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            Synonym(words=row["words"]).save()
