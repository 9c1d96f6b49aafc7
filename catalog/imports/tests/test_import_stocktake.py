from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.goods.writing import save_product
from catalog.imports.tests.files import Rows, write_csv
from catalog.imports.tests.importing import everything, load, refused
from catalog.stock import services
from catalog.stock.audit import differences
from catalog.stock.models import StockLevel, StockMovement
from catalog.stock.services import reserve
from catalog.stock.tests.builders import make_location, stock
from core.errors import ShopError

pytestmark = pytest.mark.django_db


@pytest.fixture
def products() -> list[Product]:
    warehouse = make_location(code="warehouse", fills_deliveries=True)
    make_location(code="shop")
    products = [make_product(sku=f"G{number}") for number in range(3)]
    for product in products[:2]:
        stock(product, 10, location=warehouse)
    return products


def counted(tmp_path: Path, *rows: tuple[str, str, int]) -> Path:
    path = tmp_path / "counted.csv"
    table: Rows = [{"sku": sku, "location": place, "on_hand": units} for sku, place, units in rows]
    write_csv(path, table)
    return path


def test_a_stocktake_has_the_barcode_number_and_refuses_another_products(
    products: list[Product], tmp_path: Path
) -> None:
    product = products[0]
    product.gtin = "9300675024235"
    save_product(product)
    out = tmp_path / "out.csv"
    call_command("export_goods", "stocktake", str(out))
    assert "G0,warehouse,10,9300675024235" in out.read_text("utf-8-sig")
    row = {"sku": "G0", "location": "warehouse", "on_hand": 7}
    write_csv(out, [row | {"gtin": "96385074"}])
    assert "gtin: the product with the SKU G0 has another barcode number" in refused(out)
    write_csv(out, [row | {"gtin": "9300675024235"}])
    assert "1 changed" in load(out)


def test_a_stocktake_sets_the_units_on_hand(products: list[Product], tmp_path: Path) -> None:
    path = counted(
        tmp_path, ("G0", "warehouse", 7), ("G1", "warehouse", 10), ("G2", "warehouse", 3), ("G0", "shop", 0)
    )
    out = load(path)
    assert "stocktake: 2 new, 1 changed (on_hand 1), 1 the same" in out
    assert StockLevel.objects.get(product=products[0], location__code="warehouse").on_hand == 7
    moved = StockMovement.objects.filter(reference="import").order_by("level__product")
    assert [(movement.level.product.sku, movement.units) for movement in moved] == [("G0", -3), ("G2", 3)]
    assert {product.sku: product.sold_out for product in Product.objects.all()} == {
        "G0": False,
        "G1": False,
        "G2": False,
    }
    assert list(differences()) == []
    before = everything()
    assert "0 changed, 4 the same" in load(path)
    assert everything() == before


def test_products_counted_to_nothing_are_sold_out(products: list[Product], tmp_path: Path) -> None:
    load(counted(tmp_path, ("G0", "warehouse", 0)))
    products[0].refresh_from_db()
    assert products[0].sold_out


def test_a_count_below_the_reserved_units_is_refused(products: list[Product], tmp_path: Path) -> None:
    level = StockLevel.objects.get(product=products[0])
    reserve(location=level.location, units_by_product={products[0].pk: 4}, reference="1")
    path = counted(tmp_path, ("G1", "warehouse", 1), ("G0", "warehouse", 3))
    assert "row 3, on_hand: is less than the 4 units that orders hold" in refused(path)
    load(counted(tmp_path, ("G0", "warehouse", 4)))


def test_an_order_between_check_and_writing_keeps_its_reservation(
    products: list[Product], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = StockLevel.objects.get(product=products[0])

    def late(**kw: Any) -> None:
        reserve(location=level.location, units_by_product={products[0].pk: 4}, reference="1")
        set_counted(**kw)

    set_counted = services.set_counted
    monkeypatch.setattr("catalog.imports.stock_importers.set_counted", late)
    assert "row 2, on_hand: is less than the 4 units" in refused(counted(tmp_path, ("G0", "warehouse", 3)))


def test_a_stocktake_is_all_or_nothing(products: list[Product]) -> None:
    level = StockLevel.objects.get(product=products[1])
    reserve(location=level.location, units_by_product={products[1].pk: 4}, reference="1")
    before = everything()
    with pytest.raises(ShopError):
        services.set_counted(
            location=level.location,
            units_by_product={products[0].pk: 5, products[1].pk: 3, products[2].pk: 1},
        )
    assert everything() == before


def test_a_bad_count_is_refused(products: list[Product], tmp_path: Path, subtests: pytest.Subtests) -> None:
    for row, expected in [
        (("G9", "warehouse", 1), "row 2, sku: there is no product"),
        (("G0", "moon", 1), "row 2, location: there is no stock location"),
        (("G0", "warehouse", -1), "row 2, on_hand"),
    ]:
        with subtests.test(row=row, expected=expected):
            assert expected in refused(counted(tmp_path, row))
