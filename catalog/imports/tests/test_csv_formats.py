"""CSV as Excel in China and Australia writes it (docs/imports.md#csv)."""

import codecs
from collections.abc import Callable
from pathlib import Path

import pytest

from catalog.goods.models import Product
from catalog.imports.csv_formats import CsvFormat, csv_format
from catalog.imports.problems import Problems
from catalog.imports.sheets import open_sheet
from catalog.imports.tests.files import product_row, write_catalogue, write_csv
from catalog.imports.tests.importing import load
from core.tests.rows import rolled_back

# Western letters alone, as in a price list in English.
WESTERN = {
    "name_zh": "Creme",
    "unit_zh": "bag",
    "desc_zh": "",
    "name_en": "Crème brûlée",
    "desc_en": "Piñata, café",
}


def separated(separator: str) -> Callable[[str], str]:
    """Return a function that writes CSV with another separator, and quotes cells with a comma."""
    return lambda text: text.replace(",", separator)


SHAPES: dict[str, tuple[Callable[[str], str], str]] = {
    "UTF-8": (str, "utf-8"),
    "UTF-8 with a mark": (str, "utf-8-sig"),
    "UTF-16, with tabs": (separated("\t"), "utf-16"),
    "UTF-16 of the other order": (separated("\t"), "utf-16-be"),
    "GBK": (str, "gbk"),
    "GB18030, with semicolons": (separated(";"), "gb18030"),
    "semicolons": (separated(";"), "utf-8-sig"),
    "tabs": (separated("\t"), "utf-8"),
    "a hint": (lambda text: "sep=;\r\n" + text.replace(",", ";"), "utf-8"),
    "trailing commas": (lambda text: text.replace("\r\n", ",,,\r\n"), "utf-8"),
    "blank rows": (lambda text: "\r\n" + text.replace("\r\n", "\r\n\r\n,,\r\n , \r\n"), "utf-8"),
}


@pytest.mark.django_db
def test_every_shape_of_a_file_is_read_alike(tmp_path: Path, subtests: pytest.Subtests) -> None:
    folder = write_catalogue(tmp_path)
    text = (folder / "goods.csv").read_text("utf-8").replace("\r\n", "\n").replace("\n", "\r\n")
    for case, (shape, encoding) in SHAPES.items():
        with subtests.test(msg=case), rolled_back():
            data = shape(text).encode(encoding)
            mark = codecs.BOM_UTF16_BE if encoding == "utf-16-be" else b""
            (folder / "goods.csv").write_bytes(mark + data)
            assert "goods: 2 new" in load(folder)
            assert list(Product.objects.order_by("pk").values_list("name_zh", flat=True)) == [
                "青菜1",
                "青菜2",
            ]


@pytest.mark.django_db
def test_western_letters_are_read_as_windows_writes_them(tmp_path: Path) -> None:
    folder = write_catalogue(tmp_path)
    write_csv(folder / "goods.csv", [product_row(1) | WESTERN])
    file = folder / "goods.csv"
    file.write_bytes(file.read_text("utf-8").encode("cp1252"))
    load(folder)
    product = Product.objects.get()
    assert (product.name_en, product.description_en) == ("Crème brûlée", "Piñata, café")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"\xff\xfea",
        b"a,b\n\x81\xff,\xe9\n",
        # As many bytes next to each other as alone: neither language.
        "naïve café".encode("cp1252") + "青".encode("gbk") * 2,
    ],
)
def test_an_unknown_encoding_is_read_as_utf_8_which_shows_the_wrong_bytes(
    tmp_path: Path, data: bytes
) -> None:
    (tmp_path / "a.csv").write_bytes(data)
    assert csv_format(tmp_path / "a.csv") == CsvFormat()


def test_rows_keep_their_numbers_and_cells_beyond_the_heading_that_hold_something(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"\n\na,b,,\n,,,\n1,2,,\n3,4,,5\n6\n")
    rows = list(open_sheet(tmp_path / "a.csv", Problems()).records(Problems()))
    assert rows == [(3, ["a", "b"]), (5, ["1", "2"]), (6, ["3", "4", "", "5"]), (7, ["6"])]
