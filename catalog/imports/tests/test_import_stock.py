from pathlib import Path

import pytest

from catalog.imports.tests.files import Rows, write_catalogue, write_csv
from catalog.imports.tests.importing import load, refused
from catalog.stock.models import StockLevel
from catalog.stock.tests.builders import make_location
from core.tests.rows import stored

pytestmark = pytest.mark.django_db


STOCK: Rows = [
    {"location": "warehouse", "sku": "G1", "units": 7},
    {"location": "warehouse", "sku": "G2", "units": 3},
    {"location": "shop", "sku": "G1", "units": 2},
]


@pytest.fixture
def stocked(tmp_path: Path) -> Path:
    folder = write_catalogue(tmp_path)
    make_location(code="warehouse", fills_deliveries=True)
    make_location(code="shop")
    write_csv(folder / "stock.csv", STOCK)
    return folder


def test_opening_stock_is_imported_once_with_movements(stocked: Path) -> None:
    assert "stock: 3 new, 0 the same, 0 left as they are" in load(stocked)
    level = StockLevel.objects.get(location__code="warehouse", product__sku="G1")
    assert level.on_hand == 7
    movement = level.movements.get()
    assert (movement.units, movement.reason, movement.reference) == (7, "imported", "import")
    StockLevel.objects.filter(pk=level.pk).update(on_hand=4)
    shown = load(stocked)
    assert "stock: 0 new, 2 the same, 1 left as they are" in shown
    assert "row 2, warehouse, G1: has stock already (4 units)" in shown
    assert stored(level, "on_hand") == 4


def test_bad_stock_is_refused_with_the_products(stocked: Path, subtests: pytest.Subtests) -> None:
    for change, expected in [
        ({"location": "moon"}, "location: there is no stock location “moon”"),
        ({"sku": "G9"}, "sku: there is no product with the SKU G9"),
        ({"sku": "G1"}, "sku: “warehouse, G1” is already in row 2"),
        ({"units": "0"}, "units"),
        ({"units": "-3"}, "units"),
        ({"units": "many"}, "units"),
    ]:
        with subtests.test(change=change, expected=expected):
            write_csv(stocked / "stock.csv", [STOCK[0], STOCK[1] | change])
            assert f"stock.csv, row 3, {expected}" in refused(stocked)
