"""The memory of an import does not grow with its rows, except for their keys."""

import gc
import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

import catalog.goods
from catalog.goods.demo.synthetic import write_products
from catalog.goods.models import Product
from catalog.imports.catalogue_importers import ProductImporter
from core import batches
from core.protected import writable

# The memory is Python's own.
DEMO = Path(catalog.goods.__file__).parent / "demo"
FEW, MANY = 20, 100
# Its keys take half of that, a row that is held to the end half as much again.
MAX_BYTES_OF_A_ROW = 1_900


def load(*files: Path) -> None:
    call_command("import_goods", *map(str, files), stdout=io.StringIO())


def most_held(goods: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Import products; returns the most bytes that were held when a batch was checked or written."""
    held = []

    def noting(work: Callable[..., Any]) -> Callable[..., Any]:
        def note(*arguments: Any) -> Any:
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
            return work(*arguments)

        return note

    gc.collect()
    # Not looked through again with every batch.
    gc.freeze()
    tracemalloc.start()
    with monkeypatch.context() as patch:
        for name in ("plan", "write"):
            patch.setattr(ProductImporter, name, noting(getattr(ProductImporter, name)))
        load(goods)
    tracemalloc.stop()
    return max(held)


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_many_rows_take_hardly_more_memory_than_a_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many, both = (tmp_path / f"{name}.csv" for name in ("few", "many", "both"))
    write_products(both, FEW + MANY)
    head, *rows = both.read_text("utf-8").splitlines(keepends=True)
    few.write_text(head + "".join(rows[:FEW]), "utf-8")
    many.write_text(head + "".join(rows[FEW:]), "utf-8")
    # What is loaded once, and the words that search remembers, are not the rows'.
    load(DEMO / "categories.csv", DEMO / "brands.csv", both)
    writable(Product.objects.all()).delete()

    # Even the few are several batches.
    for name in ("MIN_SIZE", "MAX_SIZE"):
        monkeypatch.setattr(batches, name, 10)
    for name in ("rows_checked", "rows_sorted"):
        monkeypatch.setattr(ProductImporter, name, 10)
    of_few, of_many = most_held(few, monkeypatch), most_held(many, monkeypatch)
    assert Product.objects.count() == FEW + MANY
    assert of_many - of_few < MAX_BYTES_OF_A_ROW * (MANY - FEW)
