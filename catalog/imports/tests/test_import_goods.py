from decimal import Decimal
from pathlib import Path

import pytest
from django.db import connection
from wagtail.images import get_image_model

from catalog.goods.models import Category, Product, ProductGroup
from catalog.goods.sellable import sellable_products
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.writing import update_products
from catalog.imports.catalogue_importers import ProductImporter
from catalog.imports.tests.files import product_row, write_catalogue, write_csv
from catalog.imports.tests.importing import everything, load, media_files
from catalog.stock.tests.builders import make_location
from core.tests.pictures import picture

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_catalogue(tmp_path)


def test_a_folder_is_imported_as_a_catalogue(folder: Path) -> None:
    out = load(folder)
    assert "goods: 2 new, 0 changed, 0 the same" in out
    product = Product.objects.select_related("category__parent", "brand", "picture").get(sku="G1")
    assert product.pk == 10101
    assert (product.category_id, product.category.parent_id, product.brand_id) == (101, 1, 1001)
    assert (product.name_en, product.description_en) == ("Greens 1", "Tender.")
    assert (product.name_zh, product.description_zh) == ("青菜1", "鲜嫩。")
    assert (product.pack, product.net_weight, product.storage) == ("500 g", 500, "chilled")
    assert (product.price, product.gst_free, product.origin) == (Decimal("4.49"), True, "AU")
    assert (product.is_self, product.is_advance) == (False, False)
    assert (product.min_amount, product.limit_amount) == (1, 0)
    assert product.brand.is_house


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL maintains sizes automatically")
def test_after_an_import_the_sold_out_products_are_read_by_their_own_index(folder: Path) -> None:
    sold_out = sellable_products().filter(sold_out=True).order_by().values("pk")
    assert "sold_out_on_sale" not in sold_out.explain()
    write_csv(folder / "goods.csv", [product_row(number) for number in range(1, 40)])
    make_location(code="warehouse", fills_deliveries=True)
    stock = [{"sku": f"G{number}", "location": "warehouse", "units": "5"} for number in range(1, 30)]
    write_csv(folder / "stock.csv", stock)
    load(folder)
    assert sold_out.count() == 10
    assert "sold_out_on_sale" in sold_out.explain()


def test_one_picture_is_stored_once_and_prepared_for_the_pages(folder: Path) -> None:
    (folder / "pictures" / "same.webp").write_bytes(picture())
    write_csv(folder / "goods.csv", [product_row(1), product_row(2, picture="same.webp")])
    load(folder)
    image = get_image_model().objects.get()
    assert set(Product.objects.values_list("picture", flat=True)) == {image.pk}
    assert set(Category.objects.values_list("picture", flat=True)) == {image.pk}
    assert image.renditions.count() == 2


def test_an_interrupted_import_is_completed_by_running_it_again(folder: Path) -> None:
    load(folder)
    get_image_model().objects.get().renditions.all().delete()
    load(folder)
    assert get_image_model().objects.get().renditions.count() == 2


def test_new_rows_after_an_import_get_ids_of_their_own(folder: Path) -> None:
    load(folder)
    assert make_product(category_id=101, brand_id=1001).pk > 10102
    assert make_category().pk > 101
    assert make_brand().pk > 1001


def test_importing_again_changes_nothing(folder: Path) -> None:
    load(folder)
    before, files = everything(), media_files()
    out = load(folder)
    assert "goods: 0 new, 0 changed, 2 the same" in out
    assert everything() == before
    assert media_files() == files


def test_a_dry_run_reports_what_would_change_and_changes_nothing(folder: Path) -> None:
    before = everything()
    assert "goods: 2 new" in load(folder, dry_run=True)
    assert everything() == before
    load(folder)
    write_csv(
        folder / "goods.csv",
        [product_row(1, price_aud="5.00"), product_row(2, price_aud="5.00", name_en="Kale"), product_row(3)],
    )
    before, files = everything(), media_files()
    out = load(folder, dry_run=True)
    assert "goods: 1 new, 2 changed (name_en 1, price 2), 0 the same" in out
    assert everything() == before
    assert media_files() == files


def test_changed_rows_are_changed_and_others_are_not(folder: Path) -> None:
    load(folder)
    before = Product.objects.values().get(sku="G2")
    (folder / "pictures" / "leaf.webp").write_bytes(picture("red"))
    write_csv(folder / "goods.csv", [product_row(1, price_aud="5"), product_row(2, picture="")])
    load(folder)
    changed = Product.objects.select_related("picture").get(sku="G1")
    assert changed.price == Decimal("5.00")
    assert changed.picture is not None
    assert changed.picture.renditions.count() == 2
    assert Product.objects.values().get(sku="G2") == before | {
        "picture_id": None,
        "updated_at": Product.objects.get(sku="G2").updated_at,
    }


def test_what_a_file_has_no_column_for_stays_unchanged(folder: Path) -> None:
    load(folder)
    update_products(Product.objects.filter(sku="G1"), is_advance=True, limit_amount=2)
    write_csv(folder / "goods.csv", [product_row(1, price_aud="5.00"), product_row(2)])
    load(folder)
    product = Product.objects.get(sku="G1")
    assert (product.is_advance, product.limit_amount, product.price) == (True, 2, Decimal("5.00"))


def test_optional_columns_set_flags_and_spec_groups(folder: Path) -> None:
    spec = {"spec_group": "greens", "spec_en": "Size", "spec_zh": "规格"}
    flags = {"direct_mail": 1, "advance": 1, "min_amount": 2, "limit_amount": 3}
    write_csv(
        folder / "goods.csv",
        [
            product_row(1, **flags, **spec, variant_en="Small", variant_zh="小"),
            product_row(2, **dict.fromkeys(flags, ""), **spec, variant_en="Large", variant_zh="大"),
            product_row(3, **dict.fromkeys([*flags, *spec, "variant_en", "variant_zh"], "")),
        ],
    )
    load(folder)
    first, second, third = Product.objects.order_by("pk")
    assert (first.is_self, first.is_advance, first.min_amount, first.limit_amount) == (True, True, 2, 3)
    assert (second.is_self, second.is_advance, second.min_amount, second.limit_amount) == (False, False, 1, 0)
    assert first.group == second.group == ProductGroup.objects.get(code="greens", name_zh="规格")
    assert (second.variant_en, second.variant_zh) == ("Large", "大")
    assert third.group is None
    assert "goods: 0 new, 0 changed, 3 the same" in load(folder)


def test_products_alone_can_be_imported_into_a_catalogue(folder: Path) -> None:
    load(folder)
    write_csv(folder / "goods.csv", [product_row(3, picture="")])
    load(folder / "goods.csv")
    assert Product.objects.count() == 3


def test_a_byte_order_mark_and_empty_lines_do_no_harm(folder: Path) -> None:
    file = folder / "goods.csv"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\r\n", b"\r\n\r\n"))
    load(folder)
    assert Product.objects.count() == 2


def test_the_demonstrations_files_are_valid() -> None:
    make_location(code="warehouse", fills_deliveries=True)
    make_location(code="northbridge")
    make_location(code="cannington")
    demo = Path(__file__).parents[2] / "goods" / "demo"
    out = load(demo, dry_run=True)
    assert "categories: 108 new" in out
    assert "brands: 140 new" in out
    assert "goods: 490 new" in out


def test_products_of_a_category_are_written_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (make_category(parent=make_category()) for _ in range(2))
    brand = make_brand()
    rows = [
        product_row(number, brand_id=brand.pk, classify_id=category.pk, first_classify_id=category.parent_id)
        for number, category in enumerate((second, first, second, first, second), 1)
    ]
    write_csv(tmp_path / "goods.csv", rows)
    monkeypatch.setattr(ProductImporter, "rows_sorted", 4)
    monkeypatch.setattr("catalog.imports.importing.short_batches", lambda rows: ([row] for row in rows))
    load(tmp_path / "goods.csv")
    written = Product.objects.order_by("created_at").values_list("sku", flat=True)
    assert list(written) == ["G2", "G4", "G1", "G3", "G5"]
