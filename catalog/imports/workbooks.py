"""Reads Excel workbooks in bounded memory; refuses cells whose value differs from what they show."""

import csv
import re
import tempfile
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from django.utils.translation import gettext as _
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from catalog.imports.problems import Problems

# A small file may unzip to gigabytes: limits of the sheets, the shared texts and all the rest.
MAX_SHEET_BYTES, MAX_TEXT_BYTES, MAX_OTHER_BYTES = 400 << 20, 100 << 20, 20 << 20
MAX_COLUMNS = 100
# Excel's own limit; it also bounds a forged row number.
MAX_ROWS = 1_048_576
# Only these columns may have dates; elsewhere Excel has turned a text such as 1/2 into one.
DATE_COLUMNS = frozenset({"best_before", "market_since"})
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]+)([0-9]+)')
_CHUNK = 1 << 20
_BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, InvalidFileException, ParseError),
    # What openpyxl raises for an inconsistent workbook; defusedxml raises ValueError.
    *(KeyError, IndexError, ValueError, TypeError, AttributeError, OSError, NotImplementedError, EOFError),
)


class Unpacked:
    """The rows of a sheet as plain texts, in a temporary file that is deleted with this object."""

    def __init__(self) -> None:
        self.rows = 0
        self.file = tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="")  # noqa: SIM115

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield rows with their numbers."""
        self.file.seek(0)
        for record in csv.reader(self.file):
            yield int(record[0]), record[1:]


def unpack(path: Path, name: str, problems: Problems) -> Unpacked:
    """Read a workbook's first sheet; notes cells that are formulas, errors, misplaced dates or merged.

    Raises ImportRefusedError past a bound of problems.
    """
    unpacked = Unpacked()
    if fault := _too_large(path):
        problems.add(name, 1, "", fault)
        return unpacked
    write = csv.writer(unpacked.file).writerow
    try:
        for number, cells in _read(path, name, problems):
            write([number, *cells])
            unpacked.rows += 1
    except _BROKEN:
        problems.add(name, 1, "", _("is no Excel workbook that can be read"))
    return unpacked


def _too_large(path: Path) -> str:
    """Return the problem of a workbook's declared sizes; no more than these is ever unzipped."""
    sheets = texts = others = 0
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.filename.startswith("xl/worksheets/"):
                    sheets += member.file_size
                elif member.filename.endswith("sharedStrings.xml"):
                    texts += member.file_size
                elif member.filename.endswith((".xml", ".rels")):
                    others += member.file_size
    except (zipfile.BadZipFile, OSError, ValueError):
        return _("is no Excel workbook that can be read")
    if sheets > MAX_SHEET_BYTES or texts > MAX_TEXT_BYTES or others > MAX_OTHER_BYTES:
        return _("unfolds to more than a workbook of products needs: save it as CSV")
    return ""


def _read(path: Path, name: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    # Given a name, openpyxl would check its extension.
    with path.open("rb") as file, warnings.catch_warnings():
        # openpyxl warns of styles and extensions that it ignores.
        warnings.simplefilter("ignore")
        book = load_workbook(file, read_only=True, keep_links=False)
        try:
            if not book.worksheets:
                problems.add(name, 1, "", _("has no sheet"))
                return
            sheet = book.worksheets[0]
            with zipfile.ZipFile(path) as archive, archive.open(sheet._worksheet_path) as source:
                _note_merged(source, name, problems)
            # A sheet's declared dimensions may be wrong.
            sheet.reset_dimensions()
            yield from _rows(sheet, name, problems)
        finally:
            book.close()


def _note_merged(source: IO[bytes], name: str, problems: Problems) -> None:
    """Note merged cells: only the first of them has a value, whatever it looks like."""
    tail = b""
    while chunk := source.read(_CHUNK):
        text = tail + chunk
        end = 0
        for found in _MERGED.finditer(text):
            end = found.end()
            column, row = found[1].decode(), int(found[2])
            values = {"cell": f"{column}{row}"}
            problems.add(name, row, "", _("cell %(cell)s is merged with others: unmerge them") % values)
        tail = text[max(end, len(text) - 100) :]


def _rows(sheet: Any, name: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    first, heading = 0, list[str]()
    for cells in sheet.iter_rows(max_col=MAX_COLUMNS, max_row=MAX_ROWS):
        first += 1
        if heading := _without_blank_end(_texts(cells, [], name, first, problems)):
            yield first, heading
            break
    width = len(heading)
    if not width:
        return
    # One cell more than the heading, to find values beside the table.
    rows = sheet.iter_rows(min_row=first + 1, max_col=width + 1, max_row=MAX_ROWS)
    for number, cells in enumerate(rows, first + 1):
        values = _texts(cells, heading, name, number, problems)
        if any(map(str.strip, values)):
            yield number, values if values[-1] else values[:-1]


def _without_blank_end(values: list[str]) -> list[str]:
    while values and not values[-1].strip():
        values.pop()
    return values


def _texts(
    cells: Sequence[Any], heading: Sequence[str], name: str, number: int, problems: Problems
) -> list[str]:
    texts = []
    for place, cell in enumerate(cells):
        value = cell.value
        if value.__class__ is str and cell.data_type == "s":
            texts.append(value)
            continue
        if value is None:
            texts.append("")
            continue
        column = heading[place] if place < len(heading) else ""
        try:
            texts.append(_text(value, cell.data_type, column))
        except ValueError as error:
            problems.add(name, number, column, str(error))
            texts.append("")
    return texts


def _text(value: Any, data_type: str, column: str) -> str:
    """Return a cell as in CSV; raises ValueError for one whose value differs from what it shows."""
    if data_type == "f":
        raise ValueError(_("is a formula: paste its value instead"))
    if data_type == "e":
        raise ValueError(_("is an error of the spreadsheet: %(value)s") % {"value": value})
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, datetime | date):
        if column not in DATE_COLUMNS:
            raise ValueError(_("is a date: Excel has made one of a text; format the cell as text"))
        return value.date().isoformat() if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, int | str):
        return str(value)
    if hasattr(value, "is_integer"):
        # Excel has a precision of fifteen digits: it shows 0.1 + 0.2 as 0.3.
        return str(int(value)) if value.is_integer() else f"{value:.15g}"
    raise ValueError(_("holds something that is neither a text nor a number"))
