from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from openpyxl import load_workbook

from catalog.goods.models import PriceTier, Product
from catalog.goods.tests.builders import charge, make_product
from catalog.goods.writing import delete_rows, update_products
from catalog.imports.exporting import EXPORTS
from catalog.imports.tests.files import product_row, write_catalogue, write_csv
from catalog.imports.tests.importing import everything, load
from catalog.stock.tests.builders import make_location, stock
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

# Texts that spreadsheets would calculate, or that look escaped.
HOSTILE = [
    "=1+1",
    "+61 400",
    "-2",
    "@SUM(A1)",
    "'=1",
    "''=cmd|' /C calc'!A0",
    "=cmd|' /C calc'!A0",
    "|pipe\\|d",
    "%0A",
    "#N/A",
    "'til late",
    '"quoted", with comma',
    "two\r\nlines",
    "  spaces ",
]


# Columns that are read from rows of other tables.
OTHER_ROWS = {"picture", "gallery", "tiers", "level_prices", "group"}


def export(tmp_path: Path, table: str, format: str) -> Path:
    file = tmp_path / f"out.{format}"
    call_command("export_goods", table, str(file))
    return file


@pytest.fixture
def shop(tmp_path: Path) -> None:
    make_location(code="warehouse", fills_deliveries=True)
    folder = write_catalogue(tmp_path)
    (folder / "pictures" / "side.webp").write_bytes((folder / "pictures" / "leaf.webp").read_bytes() + b" ")
    full = {
        "direct_mail": 1,
        "advance": 1,
        "min_amount": 2,
        "limit_amount": 3,
        "spec_group": "greens",
        "spec_en": "Size",
        "spec_zh": "规格",
        "variant_en": "Small",
        "variant_zh": "小",
        "pack_zh": "500 克",
        "ingredients_en": "Bok choy.",
        "ingredients_zh": "青菜。",
        "allergens": "soy|wheat",
        "best_before": "2026-12-31",
        "expected_date": "2027-01-15",
        "is_bulk": 1,
        "carton_size": 12,
        "on_sale": 0,
        "market_price": "5.99",
        "market_since": "-60d",
        "tiers": "10:3.90|50:3.50",
        "level_prices": "2:4.00",
        "gallery": "side.webp|leaf.webp",
        "may_contain": "milk|almond",
        "allergens_checked": 1,
        "diets": "vegan|halal",
        "nutrition": "measure:mL|serving:12.5|servings:8|energy:1540|protein:7.2|fat:1.2|saturated:0.3"
        "|carbohydrate:75|sugars:2.5|sodium:10",
        "directions_en": "Rinse.",
        "directions_zh": "冲洗。",
        "warnings_en": "Hot.",
        "warnings_zh": "小心烫。",
        "aust_number": "AUST L 123456",
        "gtin": "09300675024235",
    }
    write_csv(folder / "goods.csv", [product_row(1, **full), product_row(2, **dict.fromkeys(full, ""))])
    load(folder)
    for number, text in enumerate(HOSTILE):
        make_product(
            sku=f"H{number}",
            name_en=text,
            description_zh=text,
            category_id=101,
            brand_id=1001,
            variant_en=text,
        )
    stock(Product.objects.get(sku="G1"), 7)
    load(tmp_path / "goods.csv")


def test_an_export_imported_again_changes_nothing(
    shop: None, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    before = everything()
    for format in ["csv", "xlsx"]:
        for table in sorted(EXPORTS):
            with subtests.test(format=format, table=table):
                out = load(export(tmp_path, table, format))
                assert f"{table}: 0 new, 0 changed, {EXPORTS[table].count()} the same" in out
                assert everything() == before


def test_an_export_makes_the_same_products_elsewhere(
    shop: None, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for format in ["csv", "xlsx"]:
        with subtests.test(format=format), rolled_back():
            columns = [column.field for column in EXPORTS["goods"].columns() if column.field]
            own = [name for name in columns if name not in OTHER_ROWS]
            before = list(Product.objects.order_by("pk").values(*own))
            tiers = PriceTier.objects.filter(product__sku="G1").values_list("from_amount", "price")
            pairs = list(tiers)
            update_products(Product.objects.filter(market_price__isnull=False), market_price=None)
            file = export(tmp_path, "goods", format)
            delete_rows(Product.objects.filter(stock_levels=None))
            charge(Product.objects.get(sku="G1"), ("5.99", timedelta(days=30)), ("4.49", timedelta(days=1)))
            load(file)
            for product, was in zip(Product.objects.order_by("pk").values(*own), before, strict=True):
                was["market_price"] = None
                for name, value in was.items():
                    if isinstance(value, str):
                        was[name] = value.replace("\r\n", "\n").strip()
                assert product == was
            assert list(tiers.all()) == pairs


def test_no_cell_of_a_csv_file_begins_like_a_formula(shop: None, tmp_path: Path) -> None:
    text = export(tmp_path, "goods", "csv").read_text("utf-8-sig")
    cells = [cell.strip('"') for line in text.splitlines() for cell in line.split(",")]
    assert not [cell for cell in cells if cell[:1] in tuple("=+@|%＝\t") and cell]
    assert "'=1+1" in cells
    assert "-2" in cells


def test_texts_of_a_workbook_are_texts_and_prices_numbers(shop: None, tmp_path: Path) -> None:
    sheet = load_workbook(export(tmp_path, "goods", "xlsx")).worksheets[0]
    heading = [cell.value for cell in sheet[1]]
    name, price = heading.index("name_en"), heading.index("price_aud")
    rows = list(sheet.iter_rows(min_row=2))
    assert {row[name].data_type for row in rows} == {"s"}
    assert {row[price].data_type for row in rows} == {"n"}
    assert "=1+1" in [row[name].value for row in rows]


def test_an_interrupted_export_leaves_the_old_file_unchanged(
    shop: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = export(tmp_path, "prices", "csv")
    before = file.read_bytes()
    monkeypatch.setattr(
        "catalog.imports.cells.Decimal", lambda *_args: pytest.fail("prices are not read here")
    )
    monkeypatch.setattr("catalog.imports.exporting.escape_formula", lambda text: 1 / len(text[:0]))
    with pytest.raises(ZeroDivisionError):
        call_command("export_goods", "prices", str(file))
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="csv, xlsx"):
        call_command("export_goods", "goods", str(tmp_path / "goods.ods"))


def test_exports_read_a_bounded_number_of_queries(shop: None, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        assert len(list(EXPORTS["goods"].lines())) == Product.objects.count() + 1


def test_prices_have_two_decimals(shop: None) -> None:
    update_products(Product.objects.filter(sku="G2"), price=Decimal("4.50"))
    lines = {line[0]: line for line in EXPORTS["prices"].lines()}
    assert str(lines["G2"][1]) == "4.50"
