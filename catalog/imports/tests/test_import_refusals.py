from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.utils.translation import override
from wagtail.images import get_image_model

from catalog.goods.models import Product
from catalog.goods.writing import create_products
from catalog.imports import importing
from catalog.imports.catalogue_importers import TableImporter
from catalog.imports.tables import Row
from catalog.imports.tests.files import CATEGORIES, Rows, product_row, write_catalogue, write_csv
from catalog.imports.tests.importing import everything, load, media_files, refused
from core import batches
from core.tests.pictures import picture, png_that_unfolds

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_catalogue(tmp_path)


BAD_GOODS = [
    ({"price_aud": "-1.00"}, "price_aud: “-1.00” must be a price above 0"),
    ({"price_aud": "0"}, "price_aud: “0” must be a price above 0"),
    ({"price_aud": "4.999"}, "price_aud"),
    ({"price_aud": "1e3"}, "price_aud"),
    ({"price_aud": "NaN"}, "price_aud"),
    ({"price_aud": "٤.49"}, "price_aud"),
    ({"price_aud": "99999999999"}, "price_aud"),
    ({"price_aud": ""}, "price_aud"),
    ({"net_weight_g": "0"}, "net_weight_g: “0” must be a whole number from 1"),
    ({"net_weight_g": "1.5"}, "net_weight_g"),
    ({"net_weight_g": "9" * 30}, "net_weight_g"),
    ({"gst": "maybe"}, "gst: “maybe” must be one of: free, taxable"),
    ({"storage": "warm"}, "storage: “warm” must be one of: ambient, chilled, frozen"),
    ({"origin": "XX"}, "origin: “XX” is not a two-letter country code"),
    ({"origin": "au"}, "origin"),
    ({"classify_id": "999"}, "classify_id: there is no category 999"),
    ({"classify_id": "x"}, "classify_id"),
    ({"first_classify_id": "2"}, "first_classify_id: the category above 101 is another one"),
    ({"brand_id": "7"}, "brand_id: there is no brand 7"),
    ({"goods_id": "0"}, "goods_id"),
    ({"goods_id": str(2**63)}, "goods_id"),
    ({"goods_id": "10101"}, "goods_id: “10101” is already in row 2"),
    ({"sku": "G1"}, "sku: “G1” is already in row 2"),
    ({"sku": ""}, "sku: must not be empty"),
    ({"sku": "9.31E+12"}, "sku: “9.31E+12” is a number that Excel has shortened"),
    ({"sku": "9e+012"}, "sku: “9e+012” is a number that Excel has shortened"),
    ({"sku": "G" * 41}, "sku: is longer than 40 characters"),
    ({"name_zh": " "}, "name_zh: must not be empty"),
    ({"name_en": "a\x00b"}, "name_en: holds a control character"),
    ({"name_en": "a" * 201}, "name_en: is longer than 200 characters"),
    ({"gtin": "9300675024236"}, "gtin: “9300675024236”: The last digit does not match"),
    ({"gtin": "93006751"}, "gtin: “93006751”: The last digit does not match"),
    ({"gtin": "930067502423"}, "gtin: “930067502423”: The last digit"),
    ({"gtin": "9.30E+12"}, "gtin: “9.30E+12” is a number that Excel has shortened"),
    ({"aust_number": "123456"}, "aust_number: “123456” must be of the form AUST L 123456"),
    ({"diets": "keto"}, "diets: “keto” must be one of: vegetarian"),
    ({"nutrition": "energy"}, "nutrition: “energy” must be a name and a number"),
    ({"nutrition": "measure:g|serving:30"}, "nutrition: the panel lacks: energy, protein"),
    ({"picture": "none.webp"}, "picture: there is no picture “none.webp”"),
    ({"picture": "../goods.csv"}, "picture: there is no picture"),
    ({"picture": "text.webp"}, "picture: “text.webp” cannot be read as a picture"),
    ({"picture": "cut.png"}, "picture: “cut.png” cannot be read as a picture"),
    ({"picture": "page.svg"}, "picture: “page.svg” cannot be read as a picture"),
    ({"picture": "bomb.png"}, "picture: “bomb.png” has more than 25 million pixels"),
    ({"picture": "big.png"}, "picture: “big.png” is larger than 5 MB"),
]


def test_a_bad_row_is_refused_with_its_file_line_and_column(folder: Path, subtests: pytest.Subtests) -> None:
    files = {
        "text.webp": b"no picture",
        "cut.png": picture(format="PNG")[:45],
        "page.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "bomb.png": png_that_unfolds(5_001),
        "big.png": picture(format="PNG") + bytes(5 * 1024 * 1024),
    }
    for name, data in files.items():
        (folder / "pictures" / name).write_bytes(data)
    for change, expected in BAD_GOODS:
        with subtests.test(change=change, expected=expected):
            first = dict.fromkeys(change, "") | product_row(1)
            write_csv(folder / "goods.csv", [first, product_row(2) | change])
            assert f"goods.csv, row 3, {expected}" in refused(folder)


BAD_CATEGORIES = [
    ({"classify_pid": "9"}, "classify_pid: there is no category 9"),
    ({"classify_pid": "101"}, "classify_pid: category 101 must be a top category"),
    ({"classify_id": "1"}, "classify_id: “1” is already in row 2"),
    ({"tint": "green"}, "tint: “green” must be a colour"),
    ({"sort": "-1"}, "sort"),
    ({"name_en": ""}, "name_en: must not be empty"),
]


def test_a_bad_category_is_refused_with_its_file_line_and_column(
    folder: Path, subtests: pytest.Subtests
) -> None:
    extra = CATEGORIES[1] | {"classify_id": 102}
    for change, expected in BAD_CATEGORIES:
        with subtests.test(change=change, expected=expected):
            write_csv(folder / "categories.csv", [*CATEGORIES, extra | change])
            assert f"categories.csv, row 4, {expected}" in refused(folder)


def test_a_top_category_with_subcategories_stays_a_top_category(folder: Path) -> None:
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
    ("goods.csv", lambda data: data.replace(b"unit_en", b"unit", 1), "row 1, unit: is an unknown column"),
    ("goods.csv", lambda data: data.replace(b"unit_en", b"unit_zh", 1), "row 1, unit_zh: appears twice"),
    ("goods.csv", lambda data: data.replace("青菜2".encode(), b"\xff\xfe"), "row 3, name_zh: is not UTF-8"),
    ("goods.csv", lambda data: data + b"1,2,3\r\n", "goods.csv, row 4: has 3 cells instead of 18"),
    ("goods.csv", lambda data: data + b'"a" b,\r\n', "goods.csv, row 4: cannot be read as CSV"),
    ("goods.csv", lambda data: data + b"x" * 30_000, "goods.csv, row 4: cannot be read as CSV"),
    ("goods.csv", lambda data: b"", "goods.csv, row 1, sku: is missing"),
    ("goods.csv", lambda data: data.decode().encode("utf-16-le"), "goods.csv, row 1: is not UTF-8"),
    ("brands.csv", lambda data: data.replace(b"1001", b"0"), "brands.csv, row 2, brand_id"),
    ("brands.csv", lambda data: data.replace(b",AU,1", b",AU,yes"), "house: “yes” must be one of: 0, 1"),
]


def test_a_broken_file_is_refused(folder: Path, subtests: pytest.Subtests) -> None:
    for name, spoil, expected in BAD_FILES:
        with subtests.test(expected=expected):
            file = folder / name
            whole = file.read_bytes()
            file.write_bytes(spoil(whole))
            message = refused(folder)
            file.write_bytes(whole)
            assert expected in message


def test_all_problems_are_reported_together_up_to_a_limit(folder: Path) -> None:
    products: Rows = [product_row(n, price_aud="-1") for n in range(1, 4)]
    write_csv(folder / "goods.csv", [*products, product_row(4, gst="no", storage="no")])
    expected = refused(folder)
    assert [f"row {row}, price_aud" in expected for row in (2, 3, 4)] == [True] * 3
    assert "row 5, gst" in expected
    assert "row 5, storage" in expected
    assert "5 problem(s): nothing was imported." in expected
    write_csv(folder / "goods.csv", [product_row(n, price_aud="-1") for n in range(1, 500)])
    assert "100 problem(s)" in refused(folder)


def test_a_bad_category_causes_no_errors_for_its_products(folder: Path) -> None:
    write_csv(folder / "categories.csv", [CATEGORIES[0], CATEGORIES[1] | {"tint": "green"}])
    assert "1 problem(s)" in refused(folder)


def test_an_id_and_a_sku_always_name_the_same_product(folder: Path) -> None:
    load(folder)
    write_csv(folder / "goods.csv", [product_row(1) | {"sku": "NEW"}])
    assert "goods_id: this id belongs to the product with the SKU G1" in refused(folder)
    write_csv(folder / "goods.csv", [product_row(1) | {"goods_id": 7}])
    assert "goods_id: the product with the SKU G1 has the id 10101" in refused(folder)


def test_a_spec_group_has_one_pair_of_names(folder: Path) -> None:
    spec = {"spec_group": "greens", "spec_en": "Size", "spec_zh": "规格"}
    write_csv(folder / "goods.csv", [product_row(1, **spec), product_row(2, **spec | {"spec_en": "Colour"})])
    assert "row 3, spec_en: group “greens” has other names" in refused(folder)
    write_csv(folder / "goods.csv", [product_row(1, **spec | {"spec_zh": ""})])
    assert "row 2, spec_en: a product group needs both its names" in refused(folder)


def test_a_failure_while_writing_in_one_transaction_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: Any, **_kw: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("catalog.imports.catalogue_importers.create_products", fail)
    before, files = everything(), media_files()
    with pytest.raises(OSError, match="disk full"):
        load(folder, atomic=True)
    assert everything() == before
    assert media_files() == files


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"categories\.csv"):
        load(tmp_path)
    with pytest.raises(CommandError, match="no folder or file"):
        load(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="name a folder"):
        load()


def test_a_failure_between_batches_leaves_whole_batches_and_running_again_completes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_csv(folder / "goods.csv", [product_row(1), product_row(2, picture="red.webp"), product_row(3)])
    (folder / "pictures" / "red.webp").write_bytes(picture("red"))
    monkeypatch.setattr("catalog.imports.importing.short_batches", lambda rows: ([row] for row in rows))
    files = media_files()

    def fail_at_the_second(*args: Any) -> None:
        create_products(*args)
        if Product.objects.count() > 1:
            raise OSError("disk full")

    monkeypatch.setattr("catalog.imports.catalogue_importers.create_products", fail_at_the_second)
    with pytest.raises(OSError, match="disk full"):
        load(folder)
    assert list(Product.objects.values_list("sku", flat=True)) == ["G1"]
    # The picture of the product that was not created is deleted; those of the others stay.
    assert get_image_model().objects.count() == 1
    assert len([file for file in media_files() - files if file.parent.name == "original_images"]) == 1
    monkeypatch.setattr("catalog.imports.catalogue_importers.create_products", create_products)
    assert "goods: 2 new, 0 changed, 1 the same" in load(folder)
    assert Product.objects.count() == 3
    assert "goods: 0 new, 0 changed, 3 the same" in load(folder)


def test_no_transaction_of_an_import_writes_many_rows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As if the machine were slow: no batch may then be larger than the smallest.
    monkeypatch.setattr(batches, "TARGET_SECONDS", 0)
    write_csv(folder / "goods.csv", [product_row(number) for number in range(1, 2 * batches.MIN_SIZE + 3)])
    written: list[int] = []

    def count(importer: TableImporter, rows: Sequence[Row]) -> Any:
        written.append(len(rows))
        return write(importer, rows)

    write = importing._write
    monkeypatch.setattr(importing, "_write", count)
    load(folder)
    assert written[-3:] == [batches.MIN_SIZE, batches.MIN_SIZE, 2]


def test_a_file_that_changes_between_check_and_writing_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = importing.Import.check

    def spoil(self: importing.Import, report_progress: Callable[[int], object]) -> Any:
        found = check(self, report_progress)
        write_csv(folder / "goods.csv", [product_row(1, price_aud="-1")])
        return found

    monkeypatch.setattr(importing.Import, "check", spoil)
    with pytest.raises(CommandError, match="row 2, price_aud"):
        load(folder)
    assert not Product.objects.exists()


def test_problems_are_reported_in_the_readers_language(folder: Path) -> None:
    write_csv(folder / "goods.csv", [product_row(1, price_aud="-1")])
    with override("zh-hans"):
        assert "不是大于 0 的价格" in refused(folder)
