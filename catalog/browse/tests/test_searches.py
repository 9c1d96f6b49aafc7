"""Searches as customers type them, in either script, in pinyin, by initials and misspelt."""

import csv
import io
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

import catalog.goods
from catalog.browse.listing import Filters, listing
from catalog.goods.models import Product
from catalog.search.synonyms import load_synonyms

pytestmark = pytest.mark.django_db
DEMO = Path(catalog.goods.__file__).parent / "demo"


def _read(name: str) -> list[dict[str, str]]:
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TABLE = _read("searches.csv")
# What supermarkets and web shops call their categories, each with the ids of the demonstration's.
EVERYDAY = _read("everyday_words.csv")
# The share of everyday words of which the first page has a product of the category.
FOUND_EVERYDAY = 0.95
PAGE = 24
# A dozen for the search itself, as many for the corrections that are tried, and those of the list.
MAX_QUERIES = 40


@pytest.fixture
def _demonstration() -> None:
    files = [str(DEMO / f"{name}.csv") for name in ("categories", "brands", "goods")]
    call_command("import_goods", *files, stdout=io.StringIO())
    load_synonyms()


def found(word: str, count: int = 1) -> list[str]:
    """Return the SKUs that a list of a search shows first."""
    return [product.sku for product in listing(Filters(word=word))[:count]]


@pytest.mark.usefixtures("_demonstration")
@pytest.mark.slow
def test_the_first_results_are_what_the_search_meant() -> None:
    # One test for all: the products are loaded once, and every search that goes wrong is named.
    missed = []
    for row in TABLE:
        with CaptureQueriesContext(connection) as queries:
            first = found(row["query"], int(row["within"]))
        assert len(queries) <= MAX_QUERIES, row
        if row["sku"] not in first:
            missed.append(f"{row['query']}: {first} without {row['sku']}")
    assert len(TABLE) > 120
    assert missed == []
    _check_everyday_words()
    for words in ("老干妈|lao gan ma|lgm|老乾媽|laoganma|laogan|laogamma", "蚝油|蠔油|hao you|haoyou"):
        assert len({found(word)[0] for word in words.split("|")}) == 1, words


def _check_everyday_words() -> None:
    rows = Product.objects.values_list("pk", "category", "top_category")
    categories = {pk: set(both) for pk, *both in rows}
    missed = []
    for row in EVERYDAY:
        wanted = set(map(int, row["categories"].split()))
        if not any(wanted & categories[pk] for pk in listing(Filters(word=row["word"])).ids(0, PAGE)):
            missed.append(row["word"])
    assert len(EVERYDAY) >= 300
    assert len(missed) <= (1 - FOUND_EVERYDAY) * len(EVERYDAY), missed
