import datetime as dt
import re
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from catalog.goods.models import Product
from catalog.imports import workbooks
from catalog.imports.problems import Problems
from catalog.imports.sheets import open_sheet
from catalog.imports.tests.files import product_row, write_catalogue
from catalog.imports.tests.importing import everything, load, refused
from catalog.imports.tests.workbooks import pack, rename, rewrite, write_xlsx

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_catalogue(tmp_path)
    load(folder)
    return folder


def book(folder: Path, change: Callable[[Any], None] = lambda sheet: None, **kw: Any) -> Path:
    path = folder / "new.xlsx"
    write_xlsx(path, [product_row(1, **kw), product_row(2, **kw)], change)
    return path


def insert(path: Path, text: bytes, before: bytes) -> None:
    """Insert text into the sheet before some markup."""
    rewrite(path, lambda name, data: data.replace(before, text + before) if "sheet1" in name else data)


def test_a_workbook_is_read_like_csv(folder: Path) -> None:
    assert "goods: 0 new, 0 changed, 2 the same" in load(book(folder))


def test_numbers_flags_and_dates_mean_what_the_sheet_shows(folder: Path) -> None:
    path = book(
        folder, price_aud=0.1 + 0.2, net_weight_g=500.0, advance=True, best_before=dt.datetime(2026, 12, 31)
    )
    load(path)
    product = Product.objects.get(sku="G1")
    assert (product.price, product.net_weight, product.is_advance) == (Decimal("0.30"), 500, True)
    assert product.best_before == dt.date(2026, 12, 31)


def test_empty_rows_at_the_end_and_formats_during_the_table_do_no_harm(folder: Path) -> None:
    def spoil(sheet: Any) -> None:
        sheet.append(["", None, "  "])
        sheet.row_dimensions[5000].height = 30
        sheet["AZ1"].number_format = "0.00"

    assert "2 the same" in load(book(folder, spoil))


def test_a_sheets_declared_size_is_not_trusted(folder: Path) -> None:
    path = book(folder)

    def claim(name: str, data: bytes) -> bytes:
        if name != "xl/worksheets/sheet1.xml":
            return data
        start = data.index(b'ref="') + 5
        return data[:start] + b"A1:XFD1048576" + data[data.index(b'"', start) :]

    rewrite(path, claim)
    assert "2 the same" in load(path)


def test_a_row_numbered_a_billion_does_not_make_a_billion_rows(folder: Path) -> None:
    path = book(folder)
    rewrite(path, lambda _name, data: data.replace(b'<row r="3"', b'<row r="999999999"'))
    assert "1 the same" in load(path)


def formatted(sheet: Any, cell: str, value: float, format: str) -> None:
    sheet[cell] = value
    sheet[cell].number_format = format


def test_a_number_is_read_as_its_format_shows_it(folder: Path) -> None:
    def change(sheet: Any) -> None:
        formatted(sheet, "B2", 9310072000123, "0")
        formatted(sheet, "B3", 42, "00000")
        formatted(sheet, "L2", 1234.5, '"A$"#,##0.00')
        formatted(sheet, "L3", 4, "0.00;[Red]-0.00")
        formatted(sheet, "A2", 7, "General")
        formatted(sheet, "A3", 8, "@")

    load(book(folder, change))
    assert list(Product.objects.filter(pk__in=(7, 8)).order_by("pk").values_list("sku", "price")) == [
        ("9310072000123", Decimal("1234.50")),
        ("00042", Decimal("4.00")),
    ]


BAD_CELLS: list[tuple[Callable[[Any], None], str]] = [
    (lambda sheet: sheet.__setitem__("L3", "=L2*2"), "row 3, price_aud: is a formula"),
    (lambda sheet: sheet.__setitem__("F3", "#N/A"), "row 3, name_en: is an error"),
    (lambda sheet: sheet.__setitem__("H3", dt.date(2026, 2, 1)), "row 3, pack: is a date"),
    (lambda sheet: sheet.__setitem__("L3", dt.timedelta(1)), "row 3, price_aud: holds something"),
    (lambda sheet: sheet.__setitem__("L3", 4.999), "row 3, price_aud: “4.999” must be a price"),
    (lambda sheet: sheet.__setitem__("S3", "extra"), "row 3: has 19 cells instead of 18"),
    (lambda sheet: sheet.merge_cells("F3:G3"), "row 3: cell F3 is merged"),
    (lambda sheet: sheet.__setitem__("A1", "id"), "row 1, id: is an unknown column"),
    (lambda sheet: sheet.__setitem__("B3", 99700123456789012345), "row 3, sku: has more than 15 digits"),
    (lambda sheet: sheet.__setitem__("B3", 9310072000123), "row 3, sku: is 9310072000123, but the sheet"),
    (lambda sheet: formatted(sheet, "B3", 9310072000123, "0.00E+00"), "row 3, sku: is 9310072000123, but"),
    (lambda sheet: formatted(sheet, "L3", 4.49, "0"), "row 3, price_aud: is 4.49, but the sheet shows"),
    (lambda sheet: formatted(sheet, "L3", 0.5, "0%"), "row 3, price_aud: is 0.5, but the sheet shows"),
    (lambda sheet: sheet.delete_rows(1, 9), "its headings match no table"),
]


def test_a_cell_whose_value_differs_from_what_it_shows_is_refused(
    folder: Path, subtests: pytest.Subtests
) -> None:
    for spoil, expected in BAD_CELLS:
        with subtests.test(spoil=spoil, expected=expected):
            assert expected in refused(book(folder, spoil))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book(folder)
    rewrite(path, lambda name, data: data + b" " * (21 << 20) if name == "xl/styles.xml" else data)
    assert path.stat().st_size < 1 << 20
    assert "new.xlsx, row 1: unfolds to more" in refused(path)
    monkeypatch.setattr(workbooks, "MAX_SHEET_BYTES", 1000)
    assert "unfolds to more" in refused(book(folder))


SHARED_TEXTS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def test_a_sheet_that_unfolds_to_too_much_is_refused_whatever_its_name_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = book(folder)
    rename(path, "worksheets/sheet1.xml", "rows.bin")
    assert "2 the same" in load(path)
    monkeypatch.setattr(workbooks, "MAX_SHEET_BYTES", 1000)
    assert "new.xlsx, row 1: unfolds to more" in refused(path)


def test_shared_texts_that_unfold_to_too_much_are_refused_whatever_their_name_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = book(folder)
    named = f'<Override PartName="/xl/texts.bin" ContentType="{SHARED_TEXTS}"/></Types>'
    rewrite(path, lambda _name, data: data.replace(b"</Types>", named.encode()))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/texts.bin", f"<sst>{'<si><t>Tea</t></si>' * 100}</sst>")
    assert "2 the same" in load(path)
    monkeypatch.setattr(workbooks, "MAX_TEXT_BYTES", 1000)
    assert "new.xlsx, row 1: unfolds to more" in refused(path)


SWOLLEN = {
    "cells of one row": (b"</row>", b"<c><v>1</v></c>" * 60_000),
    "one text": (b"</sheetData>", b'<row><c t="inlineStr"><is><t>%s</t></is></c></row>' % (b"x" * 900_000)),
    "elements before the rows": (b"<sheetData>", b"<x/>" * 200_000),
    "elements after them": (b"</worksheet>", b"<x/>" * 200_000),
}


def test_a_row_that_unfolds_to_too_much_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setattr(workbooks, "MAX_ITEM_BYTES", 500_000)
    for case, (place, text) in SWOLLEN.items():
        with subtests.test(msg=case):
            path = book(folder)
            insert(path, text, place)
            assert path.stat().st_size < 20_000
            assert "new.xlsx, row 1: unfolds to more" in refused(path)


def test_many_short_rows_are_not_taken_for_a_long_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book(folder)
    empty = b'<row r="9" spans="1:18"/>' * 20_000
    rewrite(path, lambda _name, data: data.replace(b"</sheetData>", empty + b"</sheetData>"))
    monkeypatch.setattr(workbooks, "MAX_ITEM_BYTES", 100_000)
    assert "2 the same" in load(path)


def test_a_part_that_is_read_again_and_again_counts_each_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = book(folder)

    def name_often(name: str, data: bytes) -> bytes:
        if name != "xl/workbook.xml":
            return data
        sheet = data[data.index(b"<sheet ") : data.index(b"</sheets>")]
        return data.replace(sheet, sheet * 20)

    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    monkeypatch.setattr(workbooks, "MAX_SHEET_BYTES", 10 * size)
    assert "2 the same" in load(path)
    rewrite(path, name_often)
    assert "unfolds to more" in refused(path)


def test_a_request_reads_less_of_a_workbook_than_a_task(folder: Path, subtests: pytest.Subtests) -> None:
    rows = b"<row><c><v>1</v></c></row>" * (workbooks.MAX_BYTES_IN_REQUEST // 20)
    swollen: dict[str, Callable[[str, bytes], bytes]] = {
        "sheet": lambda _name, data: data.replace(b"</sheetData>", rows + b"</sheetData>"),
        "formats": lambda name, data: data + b" " * len(rows) if name == "xl/styles.xml" else data,
    }
    for part, change in swollen.items():
        with subtests.test(part=part):
            path = book(folder)
            assert open_sheet(path, Problems()).rows
            rewrite(path, change)
            problems = Problems()
            open_sheet(path, problems)
            assert "unfolds to more" in str(problems.found)
            problems = Problems()
            assert open_sheet(path, problems, while_reading=lambda: None).rows
            assert "unfolds to more" not in str(problems.found)


def test_a_file_that_is_no_workbook_is_refused(folder: Path, subtests: pytest.Subtests) -> None:
    path = folder / "new.xlsx"
    for data, expected in [
        (b"PK\x03\x04 and nothing else", "cannot be read as an Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "is an old or locked Excel file"),
        (b"", "its headings match no table"),
        (b"%PDF-1.7\n%\xff\xfe\n", "its headings match no table"),
    ]:
        with subtests.test(data=data, expected=expected):
            path.write_bytes(data)
            assert f"new.xlsx, row 1: {expected}" in refused(path)


def test_the_file_type_is_read_from_the_content_and_not_from_the_name(folder: Path) -> None:
    book(folder).rename(folder / "new.csv")
    (folder / "goods.csv").rename(folder / "other.xlsx")
    assert "2 the same" in load(folder / "new.csv")
    assert "2 the same" in load(folder / "other.xlsx")


def test_a_damaged_archive_is_refused_wherever_the_damage_is(folder: Path) -> None:
    path = book(folder)
    whole = path.read_bytes()
    before = everything()
    for end in range(100, len(whole), 500):
        path.write_bytes(whole[:end])
        refused(path)
    assert everything() == before


def test_a_damaged_byte_changes_no_value_wherever_it_is(folder: Path) -> None:
    path = book(folder)
    whole = path.read_bytes()
    rows = list(open_sheet(path, Problems()).records(Problems()))
    refusals = 0
    for place in range(0, len(whole), 23):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        problems = Problems()
        sheet = open_sheet(path, problems)
        refusals += bool(problems.found)
        # What no reader looks at may be damaged.
        assert problems.found or place < 4 or list(sheet.records(Problems())) == rows, place
    assert refusals > len(whole) // 23 // 2


def damage(path: Path, part: str) -> None:
    """Change the first byte of a packed part."""
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo(part).header_offset + 30 + len(part)
    whole = path.read_bytes()
    path.write_bytes(whole[:start] + b"\xff" + whole[start + 1 :])


def protect(path: Path) -> None:
    """Mark each part as encrypted: a flag in its entry of the directory."""
    data = re.sub(rb"(PK\x01\x02....)\x00", rb"\1" + b"\x01", path.read_bytes(), flags=re.DOTALL)
    path.write_bytes(data)


UNREADABLE: dict[str, Callable[[Path], None]] = {
    "a comment that looks like a row": lambda path: insert(path, b"<!-- <row > -->", b"</row>"),
    "a text that looks like a row": lambda path: insert(path, b"<![CDATA[<row >]]>", b"</row>"),
    "an entity": lambda path: insert(path, b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">]>', b"<worksheet"),
    "damaged types": lambda path: damage(path, "[Content_Types].xml"),
    "a damaged workbook": lambda path: damage(path, "xl/workbook.xml"),
    "damaged styles": lambda path: damage(path, "xl/styles.xml"),
    "packed by bzip2": lambda path: pack(path, packing=zipfile.ZIP_BZIP2),
    "packed by LZMA": lambda path: pack(path, packing=zipfile.ZIP_LZMA),
    "a password for its parts": protect,
}


def test_a_workbook_that_cannot_be_read_is_refused(folder: Path, subtests: pytest.Subtests) -> None:
    for case, spoil in UNREADABLE.items():
        with subtests.test(msg=case):
            path = book(folder)
            spoil(path)
            assert "new.xlsx, row 1: cannot be read as an Excel workbook" in refused(path)
