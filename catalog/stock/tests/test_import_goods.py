from decimal import Decimal
from pathlib import Path

import pytest
from wagtail.images import get_image_model

from catalog.goods.models import Category, Product, ProductGroup
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.tests.files import goods_row, picture, write_catalogue, write_csv
from catalog.stock.tests.builders import make_location
from catalog.stock.tests.importing import everything, load, media_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_catalogue(tmp_path)


def test_a_folder_becomes_a_catalogue(folder: Path) -> None:
    out = load(folder)
    assert "goods: 2 new, 0 changed, 0 the same" in out
    good = Product.objects.select_related("category__parent", "brand", "picture").get(sku="G1")
    assert good.pk == 10101
    assert (good.category_id, good.category.parent_id, good.brand_id) == (101, 1, 1001)
    assert (good.name_en, good.name_zh, good.pack, good.net_weight) == ("Greens 1", "青菜1", "500 g", 500)
    assert (good.price, good.gst_free, good.storage, good.origin) == (Decimal("4.49"), True, "chilled", "AU")
    assert (good.description_en, good.description_zh) == ("Tender.", "鲜嫩。")
    assert (good.is_self, good.is_advance, good.min_amount, good.limit_amount) == (False, False, 1, 0)
    assert good.brand.is_house


def test_one_picture_is_kept_once_and_made_ready_for_the_pages(folder: Path) -> None:
    (folder / "pictures" / "same.webp").write_bytes(picture())
    write_csv(folder / "goods.csv", [goods_row(1), goods_row(2, picture="same.webp")])
    load(folder)
    image = get_image_model().objects.get()
    assert set(Product.objects.values_list("picture", flat=True)) == {image.pk}
    assert set(Category.objects.values_list("picture", flat=True)) == {image.pk}
    assert image.renditions.count() == 2


def test_an_interrupted_import_is_finished_by_a_repeat(folder: Path) -> None:
    load(folder)
    get_image_model().objects.get().renditions.all().delete()
    load(folder)
    assert get_image_model().objects.get().renditions.count() == 2


def test_new_rows_after_an_import_get_ids_of_their_own(folder: Path) -> None:
    load(folder)
    assert make_product(category_id=101, brand_id=1001).pk > 10102
    assert make_category().pk > 101
    assert make_brand().pk > 1001


def test_a_repeat_changes_nothing(folder: Path) -> None:
    load(folder)
    before, files = everything(), media_files()
    out = load(folder)
    assert "goods: 0 new, 0 changed, 2 the same" in out
    assert everything() == before
    assert media_files() == files


def test_a_dry_run_tells_what_would_change_and_changes_nothing(folder: Path) -> None:
    before = everything()
    assert "goods: 2 new" in load(folder, dry_run=True)
    assert everything() == before
    load(folder)
    write_csv(
        folder / "goods.csv",
        [goods_row(1, price_aud="5.00"), goods_row(2, price_aud="5.00", name_en="Kale"), goods_row(3)],
    )
    before, files = everything(), media_files()
    out = load(folder, dry_run=True)
    assert "goods: 1 new, 2 changed (name_en 1, price 2), 0 the same" in out
    assert everything() == before
    assert media_files() == files


def test_changed_rows_are_changed_and_others_are_not(folder: Path) -> None:
    load(folder)
    untouched = Product.objects.values().get(sku="G2")
    (folder / "pictures" / "leaf.webp").write_bytes(picture("red"))
    write_csv(folder / "goods.csv", [goods_row(1, price_aud="5"), goods_row(2, picture="")])
    load(folder)
    changed = Product.objects.select_related("picture").get(sku="G1")
    assert changed.price == Decimal("5.00")
    assert changed.picture is not None
    assert changed.picture.renditions.count() == 2
    assert Product.objects.values().get(sku="G2") == untouched | {
        "picture_id": None,
        "updated_at": Product.objects.get(sku="G2").updated_at,
    }


def test_what_a_file_has_no_column_for_stays_as_it_is(folder: Path) -> None:
    load(folder)
    Product.objects.filter(sku="G1").update(is_advance=True, limit_amount=2)
    write_csv(folder / "goods.csv", [goods_row(1, price_aud="5.00"), goods_row(2)])
    load(folder)
    good = Product.objects.get(sku="G1")
    assert (good.is_advance, good.limit_amount, good.price) == (True, 2, Decimal("5.00"))


def test_optional_columns_set_flags_and_spec_groups(folder: Path) -> None:
    spec = {"spec_group": "greens", "spec_en": "Size", "spec_zh": "规格"}
    flags = {"direct_mail": 1, "advance": 1, "min_amount": 2, "limit_amount": 3}
    write_csv(
        folder / "goods.csv",
        [
            goods_row(1, **flags, **spec, variant_en="Small", variant_zh="小"),
            goods_row(2, **dict.fromkeys(flags, ""), **spec, variant_en="Large", variant_zh="大"),
            goods_row(3, **dict.fromkeys(flags, ""), **dict.fromkeys(spec, ""), variant_en="", variant_zh=""),
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


def test_goods_alone_can_be_imported_into_a_catalogue(folder: Path) -> None:
    load(folder)
    write_csv(folder / "goods.csv", [goods_row(3, picture="")])
    load(folder / "goods.csv")
    assert Product.objects.count() == 3


def test_a_byte_order_mark_and_empty_lines_do_no_harm(folder: Path) -> None:
    file = folder / "goods.csv"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\r\n", b"\r\n\r\n"))
    load(folder)
    assert Product.objects.count() == 2


def test_the_demonstrations_files_are_good() -> None:
    make_location(code="warehouse", fills_deliveries=True)
    make_location(code="northbridge")
    make_location(code="cannington")
    demo = Path(__file__).parents[2] / "goods" / "demo"
    out = load(demo, dry_run=True)
    assert "categories: 108 new" in out
    assert "brands: 140 new" in out
    assert "goods: 490 new" in out
