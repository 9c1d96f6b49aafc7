import io
import struct
import zlib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from wagtail.images import get_image_model

from catalog.goods.models import Brand, Category, Product, ProductGroup
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.tests.files import (
    CATEGORIES,
    Rows,
    goods_row,
    picture,
    write_catalogue,
    write_csv,
)
from catalog.stock.models import StockLevel, StockMovement
from catalog.stock.tests.builders import make_location

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_catalogue(tmp_path)


def load(*args: Any, **kw: Any) -> str:
    out = io.StringIO()
    call_command("import_goods", *map(str, args), stdout=out, **kw)
    return out.getvalue()


def media_files() -> set[Path]:
    return {path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()}


def everything() -> dict[str, Any]:
    models = (Category, Brand, ProductGroup, Product, StockLevel, StockMovement, get_image_model())
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


def refused(folder: Path, **kw: Any) -> str:
    """Import a folder that must be refused without any change; returns what was said."""
    before, files = everything(), media_files()
    with pytest.raises(CommandError) as refusal:
        load(folder, **kw)
    assert everything() == before
    assert media_files() == files
    return str(refusal.value)


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
    load("--goods", folder / "goods.csv")
    assert Product.objects.count() == 3


def test_a_byte_order_mark_and_empty_lines_do_no_harm(folder: Path) -> None:
    file = folder / "goods.csv"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\r\n", b"\r\n\r\n"))
    load(folder)
    assert Product.objects.count() == 2


def png_that_unfolds(side: int) -> bytes:
    """Make a small file that claims to be a picture of a great many pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(side * (side // 8 + 1)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


BAD_GOODS = [
    ({"price_aud": "-1.00"}, "price_aud: “-1.00” is no price above 0"),
    ({"price_aud": "0"}, "price_aud: “0” is no price above 0"),
    ({"price_aud": "4.999"}, "price_aud"),
    ({"price_aud": "1e3"}, "price_aud"),
    ({"price_aud": "NaN"}, "price_aud"),
    ({"price_aud": "４.49"}, "price_aud"),
    ({"price_aud": "99999999999"}, "price_aud"),
    ({"price_aud": ""}, "price_aud"),
    ({"net_weight_g": "0"}, "net_weight_g: “0” is no whole number from 1"),
    ({"net_weight_g": "1.5"}, "net_weight_g"),
    ({"net_weight_g": "9" * 30}, "net_weight_g"),
    ({"gst": "maybe"}, "gst: “maybe” is none of: free, taxable"),
    ({"storage": "warm"}, "storage: “warm” is none of: ambient, chilled, frozen"),
    ({"origin": "XX"}, "origin: “XX” is no country's code"),
    ({"origin": "au"}, "origin"),
    ({"classify_id": "999"}, "classify_id: there is no category 999"),
    ({"classify_id": "x"}, "classify_id"),
    ({"first_classify_id": "2"}, "first_classify_id: the category above 101 is another one"),
    ({"brand_id": "7"}, "brand_id: there is no brand 7"),
    ({"goods_id": "0"}, "goods_id"),
    ({"goods_id": str(2**63)}, "goods_id"),
    ({"goods_id": "10101"}, "goods_id: “10101” stands in row 2 already"),
    ({"sku": "G1"}, "sku: “G1” stands in row 2 already"),
    ({"sku": ""}, "sku: must not be empty"),
    ({"sku": "G" * 41}, "sku: is longer than 40 characters"),
    ({"name_zh": " "}, "name_zh: must not be empty"),
    ({"name_en": "a\x00b"}, "name_en: holds a control character"),
    ({"name_en": "a" * 201}, "name_en: is longer than 200 characters"),
    ({"picture": "none.webp"}, "picture: there is no picture “none.webp”"),
    ({"picture": "../goods.csv"}, "picture: there is no picture"),
    ({"picture": "text.webp"}, "picture: “text.webp” is no picture"),
    ({"picture": "cut.png"}, "picture: “cut.png” is no picture"),
    ({"picture": "page.svg"}, "picture: “page.svg” is no picture"),
    ({"picture": "bomb.png"}, "picture: “bomb.png” has more than 25 million pixels"),
    ({"picture": "big.png"}, "picture: “big.png” is larger than 5 MB"),
]


@pytest.mark.parametrize(("change", "said"), BAD_GOODS)
def test_a_bad_row_is_refused_with_its_place(folder: Path, change: dict[str, str], said: str) -> None:
    files = {
        "text.webp": b"no picture",
        "cut.png": picture(format="PNG")[:45],
        "page.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "bomb.png": png_that_unfolds(5_001),
        "big.png": picture(format="PNG") + bytes(5 * 1024 * 1024),
    }
    for name, data in files.items():
        (folder / "pictures" / name).write_bytes(data)
    write_csv(folder / "goods.csv", [goods_row(1), goods_row(2) | change])
    assert f"goods.csv, row 3, {said}" in refused(folder)


BAD_CATEGORIES = [
    ({"classify_pid": "9"}, "classify_pid: there is no category 9"),
    ({"classify_pid": "101"}, "classify_pid: category 101 is no top category"),
    ({"classify_id": "1"}, "classify_id: “1” stands in row 2 already"),
    ({"tint": "green"}, "tint: “green” is no colour"),
    ({"sort": "-1"}, "sort"),
    ({"name_en": ""}, "name_en: must not be empty"),
]


@pytest.mark.parametrize(("change", "said"), BAD_CATEGORIES)
def test_a_bad_category_is_refused_with_its_place(folder: Path, change: dict[str, str], said: str) -> None:
    extra = CATEGORIES[1] | {"classify_id": 102}
    write_csv(folder / "categories.csv", [*CATEGORIES, extra | change])
    assert f"categories.csv, row 4, {said}" in refused(folder)


def test_a_category_with_others_below_it_stays_at_the_top(folder: Path) -> None:
    load(folder)
    other = CATEGORIES[0] | {"classify_id": 2}
    write_csv(folder / "categories.csv", [other, CATEGORIES[0] | {"classify_pid": 2}])
    assert "categories.csv, row 3, classify_pid: a category with others below it" in refused(folder)


BAD_FILES: list[tuple[str, Callable[[bytes], bytes], str]] = [
    (
        "goods.csv",
        lambda data: data.replace(b",price_aud", b"", 1),
        "goods.csv, row 1, price_aud: is missing",
    ),
    ("goods.csv", lambda data: data.replace(b"unit_en", b"unit", 1), "row 1, unit: is no known column"),
    ("goods.csv", lambda data: data.replace(b"unit_en", b"unit_zh", 1), "row 1, unit_zh: comes twice"),
    ("goods.csv", lambda data: data.replace("青菜2".encode(), b"\xff\xfe"), "row 3, name_zh: is not UTF-8"),
    ("goods.csv", lambda data: data + b"1,2,3\r\n", "goods.csv, row 4: has 3 cells instead of 18"),
    ("goods.csv", lambda data: data + b'"a" b,\r\n', "goods.csv, row 4: is no CSV"),
    ("goods.csv", lambda data: data + b"x" * 30_000, "goods.csv, row 4: is no CSV"),
    ("goods.csv", lambda data: b"", "goods.csv, row 1, sku: is missing"),
    ("goods.csv", lambda data: data.decode().encode("utf-16"), "goods.csv, row 1, sku: is missing"),
    ("brands.csv", lambda data: data.replace(b"1001", b"0"), "brands.csv, row 2, brand_id"),
    ("brands.csv", lambda data: data.replace(b",AU,1", b",AU,yes"), "row 2, house: “yes” is none of: 0, 1"),
]


@pytest.mark.parametrize(("name", "spoil", "said"), BAD_FILES)
def test_a_broken_file_is_refused(
    folder: Path, name: str, spoil: Callable[[bytes], bytes], said: str
) -> None:
    file = folder / name
    file.write_bytes(spoil(file.read_bytes()))
    assert said in refused(folder)


def test_every_problem_is_told_at_once_up_to_a_bound(folder: Path) -> None:
    goods: Rows = [goods_row(n, price_aud="-1") for n in range(1, 4)]
    write_csv(folder / "goods.csv", [*goods, goods_row(4, gst="no", storage="no")])
    said = refused(folder)
    assert [f"row {row}, price_aud" in said for row in (2, 3, 4)] == [True] * 3
    assert "row 5, gst" in said
    assert "row 5, storage" in said
    assert "5 problem(s): nothing was imported." in said
    write_csv(folder / "goods.csv", [goods_row(n, price_aud="-1") for n in range(1, 500)])
    assert "100 problem(s)" in refused(folder)


def test_a_broken_category_is_not_held_against_its_goods(folder: Path) -> None:
    write_csv(folder / "categories.csv", [CATEGORIES[0], CATEGORIES[1] | {"tint": "green"}])
    assert "1 problem(s)" in refused(folder)


def test_an_id_and_a_sku_name_the_same_good_for_ever(folder: Path) -> None:
    load(folder)
    write_csv(folder / "goods.csv", [goods_row(1) | {"sku": "NEW"}])
    assert "goods_id: this id belongs to the good with the SKU G1" in refused(folder)
    write_csv(folder / "goods.csv", [goods_row(1) | {"goods_id": 7}])
    assert "goods_id: the good with the SKU G1 has the id 10101" in refused(folder)


def test_a_spec_group_has_one_pair_of_names(folder: Path) -> None:
    spec = {"spec_group": "greens", "spec_en": "Size", "spec_zh": "规格"}
    write_csv(folder / "goods.csv", [goods_row(1, **spec), goods_row(2, **spec | {"spec_en": "Colour"})])
    assert "row 3, spec_en: group “greens” has other names" in refused(folder)
    write_csv(folder / "goods.csv", [goods_row(1, **spec | {"spec_zh": ""})])
    assert "row 2, spec_en: a spec group needs both its names" in refused(folder)


def test_a_fault_while_writing_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_kw: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("catalog.goods.importer.goods.advance_sequences", fail)
    before, files = everything(), media_files()
    with pytest.raises(OSError, match="disk full"):
        load(folder)
    assert everything() == before
    assert media_files() == files


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"categories\.csv"):
        load(tmp_path)
    with pytest.raises(CommandError, match="no folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="name a folder"):
        load()


STOCK: Rows = [
    {"location": "warehouse", "sku": "G1", "units": 7},
    {"location": "warehouse", "sku": "G2", "units": 3},
    {"location": "shop", "sku": "G1", "units": 2},
]


@pytest.fixture
def stocked(folder: Path) -> Path:
    make_location(code="warehouse", fills_deliveries=True)
    make_location(code="shop")
    write_csv(folder / "stock.csv", STOCK)
    return folder


def test_opening_stock_comes_with_movements_and_once_only(stocked: Path) -> None:
    assert "stock levels: 3 new, 0 left as they are" in load(stocked)
    level = StockLevel.objects.get(location__code="warehouse", product__sku="G1")
    assert level.on_hand == 7
    movement = level.movements.get()
    assert (movement.units, movement.reason, movement.reference) == (7, "imported", "import")
    StockLevel.objects.filter(pk=level.pk).update(on_hand=4)
    assert "stock levels: 0 new, 3 left as they are" in load(stocked)
    level.refresh_from_db()
    assert level.on_hand == 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"location": "moon"}, "location: there is no stock location “moon”"),
        ({"sku": "G9"}, "sku: there is no good with the SKU G9"),
        ({"sku": "G1"}, "sku: “warehouse, G1” stands in row 2 already"),
        ({"units": "0"}, "units"),
        ({"units": "-3"}, "units"),
        ({"units": "many"}, "units"),
    ],
)
def test_bad_stock_is_refused_with_the_goods(stocked: Path, change: dict[str, Any], said: str) -> None:
    write_csv(stocked / "stock.csv", [STOCK[0], STOCK[1] | change])
    assert f"stock.csv, row 3, {said}" in refused(stocked)


def test_the_demonstrations_files_are_good() -> None:
    make_location(code="warehouse", fills_deliveries=True)
    make_location(code="northbridge")
    make_location(code="cannington")
    demo = Path(__file__).parents[2] / "goods" / "demo"
    out = load(demo, dry_run=True)
    assert "categories: 108 new" in out
    assert "brands: 140 new" in out
    assert "goods: 490 new" in out
