"""Every table has a line that names what makes it grow and what bounds it."""

import re
from pathlib import Path

from django.apps import apps
from django.conf import settings

DOCUMENT: Path = settings.BASE_DIR / "docs" / "data-growth.md"
MODEL = re.compile(r"`([a-z_]+\.[A-Z]\w+)`")
# Made for its own search by Wagtail where the database is SQLite.
ON_SQLITE = {"wagtailsearch.SQLiteFTSIndexEntry"}


def lines() -> dict[str, list[str]]:
    """Return the cells next to each model's name."""
    rows = [line.strip("|").split("|") for line in DOCUMENT.read_text("utf-8").splitlines() if "|" in line]
    return {name: [cell.strip() for cell in cells] for names, *cells in rows for name in MODEL.findall(names)}


def test_every_table_shows_what_makes_it_grow_and_what_bounds_it() -> None:
    models = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    assert set(lines()) - ON_SQLITE == models - ON_SQLITE
    assert {name for name, cells in lines().items() if len(cells) != 2 or not all(cells)} == set()


def test_no_table_has_two_lines() -> None:
    text = "".join(line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `"))
    named = MODEL.findall(text)
    assert sorted(named) == sorted(set(named))
