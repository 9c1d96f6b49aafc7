"""Reads Excel workbooks in bounded memory, and refuses cells whose value differs from the shown one."""

import csv
import re
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from django.utils.translation import gettext as _
from openpyxl.reader.excel import ExcelReader
from openpyxl.utils.exceptions import InvalidFileException

from catalog.imports.problems import Problems

# A small file may unzip to gigabytes. These limit the sheets, the shared texts and everything else, for which
# openpyxl may take twenty seconds per MiB on a busy machine.
MAX_SHEET_BYTES, MAX_TEXT_BYTES, MAX_OTHER_BYTES = 400 << 20, 100 << 20, 4 << 20
# The limit of each of these within a request, whose thread must be free again in a few seconds.
MAX_BYTES_IN_REQUEST = 2 << 20
# openpyxl reads a row or a shared text as a whole, using up to twenty times its bytes.
MAX_ITEM_BYTES = 8 << 20
MAX_COLUMNS = 100
# Excel's own limit, which also bounds a forged row number.
MAX_ROWS = 1_048_576
# Only these columns may contain dates; in other columns Excel has converted a text such as 1/2.
DATE_COLUMNS = frozenset({"best_before", "expected_date", "market_since"})
TIME_COLUMNS = frozenset({"event_time"})
# Excel stores fifteen digits, and shows eleven before it shortens a number without a format to 9.31E+12.
MAX_EXACT, MAX_GENERAL = 10**15, 10**11
# Formats of whole numbers with leading zeros; texts within formats; decimals.
_PADDED = re.compile(r"0+")
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_PLACES = re.compile(r"\.([0#?]+)")
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]+)([0-9]+)')
# The beginning of a row or a shared text.
_ITEM = re.compile(rb"<(?:\w+:)?(?:row|si)[\s/>]")
# A comment or CDATA, whose content may look like a row; spreadsheet programs do not write them.
_MARKUP = b"<!"
_LONGEST_ITEM_TAG = 100
_CHUNK = 1 << 20
_BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, InvalidFileException, ParseError),
    # openpyxl raises these for an inconsistent workbook; defusedxml raises ValueError.
    *(KeyError, IndexError, ValueError, TypeError, AttributeError, OSError, EOFError),
    # zipfile raises it for encrypted parts and unknown compression.
    RuntimeError,
)


class _TooLargeError(Exception):
    """Raised if a workbook unpacks to more than its limits."""


class Unpacked:
    """The rows of a sheet as plain texts, in a temporary file that is deleted with this object."""

    def __init__(self) -> None:
        self.rows = 0
        self.file = tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="")  # noqa: SIM115

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows with their numbers."""
        self.file.seek(0)
        for record in csv.reader(self.file):
            yield int(record[0]), record[1:]


def unpack(path: Path, name: str, problems: Problems, while_reading: Callable[[], object] | None) -> Unpacked:
    """Read a workbook's first sheet; record a problem for formulas, errors, wrong dates and merged cells.

    `while_reading`: as for `open_sheet`. Raises its errors, and ImportRefusedError at MAX_PROBLEMS.
    """
    unpacked = Unpacked()
    write = csv.writer(unpacked.file).writerow
    try:
        for number, cells in _read(path, name, problems, while_reading):
            write([number, *cells])
            unpacked.rows += 1
    except _TooLargeError:
        problems.add(name, 1, "", _("unfolds to more than a workbook of products needs: save it as CSV"))
    except _BROKEN:
        problems.add(name, 1, "", _("cannot be read as an Excel workbook"))
    return unpacked


class _Archive(zipfile.ZipFile):
    """The parts of a workbook; at most `whole` and `streamed` bytes are read, whatever the parts' names."""

    def __init__(self, file: IO[bytes], while_reading: Callable[[], object] | None) -> None:
        super().__init__(file)
        self.while_reading = while_reading
        self.whole = self.allow(MAX_OTHER_BYTES)
        self.allow(MAX_SHEET_BYTES)

    def allow(self, most: int) -> int:
        """Let this many bytes be streamed, fewer within a request; return that number."""
        self.streamed = most if self.while_reading else min(most, MAX_BYTES_IN_REQUEST)
        return self.streamed

    def open(self, name: Any, *args: Any, **kw: Any) -> Any:
        """Open a part for reading; raises BadZipFile for a compression that spreadsheets do not use."""
        if self.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile
        return _Part(super().open(name, *args, **kw), self)


@dataclass
class _Part:
    """A part of a workbook, opened for reading."""

    source: IO[bytes]
    archive: _Archive
    tail: bytes = b""
    since_item: int = 0

    def read(self, size: int = -1) -> bytes:
        """Read and count bytes; raises _TooLargeError above a limit, BadZipFile for a comment."""
        if self.archive.while_reading:
            self.archive.while_reading()
        if size < 0:
            data = self.source.read(self.archive.whole + 1)
            self.archive.whole -= len(data)
        else:
            data = self.source.read(size)
            self.archive.streamed -= len(data)
            self._look_for_items(data)
        if self.archive.whole < 0 or self.archive.streamed < 0 or self.since_item > MAX_ITEM_BYTES:
            raise _TooLargeError
        return data

    def _look_for_items(self, data: bytes) -> None:
        text = self.tail + data
        if _MARKUP in text:
            raise zipfile.BadZipFile
        self.since_item = 0 if _ITEM.search(text) else self.since_item + len(data)
        self.tail = text[-_LONGEST_ITEM_TAG:]

    def close(self) -> None:
        """Close the part."""
        self.source.close()

    def __enter__(self) -> "_Part":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class _Reader(ExcelReader):
    """Reads everything in a workbook except its sheets."""

    def __init__(self, file: IO[bytes], while_reading: Callable[[], object] | None) -> None:
        super().__init__(file, read_only=True, keep_links=False)
        self.archive = _Archive(file, while_reading)

    def read_strings(self) -> None:
        """Read the shared texts, within their own limit."""
        self.archive.allow(MAX_TEXT_BYTES)
        super().read_strings()
        self.archive.allow(MAX_SHEET_BYTES)


def _read(
    path: Path, name: str, problems: Problems, while_reading: Callable[[], object] | None
) -> Iterator[tuple[int, list[str]]]:
    # With a path, openpyxl would check the file's extension.
    with path.open("rb") as file, warnings.catch_warnings():
        # openpyxl warns about styles and extensions that it ignores.
        warnings.simplefilter("ignore")
        reader = _Reader(file, while_reading)
        with reader.archive as archive:
            reader.read()
            if not reader.wb.worksheets:
                problems.add(name, 1, "", _("has no sheet"))
                return
            sheet = reader.wb.worksheets[0]
            # Each reading of the sheet has the whole limit.
            archive.allow(MAX_SHEET_BYTES)
            with archive.open(sheet._worksheet_path) as source:
                _note_merged(source, name, problems)
            # A sheet's declared dimensions may be wrong.
            sheet.reset_dimensions()
            archive.allow(MAX_SHEET_BYTES)
            yield from _rows(sheet, name, problems)


def _note_merged(source: _Part, name: str, problems: Problems) -> None:
    """Record a problem for merged cells, because only the first of them has a value."""
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
    heading = list[str]()
    # One cell more than the heading, to find values outside the table.
    for number, cells in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS + 1, max_row=MAX_ROWS), 1):
        if heading:
            values = _texts(cells[: len(heading) + 1], heading, name, number, problems)
            if any(map(str.strip, values)):
                yield number, values if values[-1] else values[:-1]
        elif heading := _without_blank_end(_texts(cells[:MAX_COLUMNS], [], name, number, problems)):
            yield number, heading


def _number_text(value: float, format: str) -> str:
    """Return a number as the sheet shows it, without currency or separators of thousands.

    Raises ValueError for a number that the sheet shows rounded, shortened or as a percentage, and for one
    with more digits than Excel stores.
    """
    # Excel has a precision of fifteen digits, so it shows 0.1 + 0.2 as 0.3.
    exact = str(int(value)) if value == int(value) else f"{value:.15g}"
    if abs(value) >= MAX_EXACT:
        raise ValueError(_("has more than 15 digits, so Excel has changed it: format the cell as text"))
    shown = _QUOTED.sub("", format.partition(";")[0]).strip()
    if _PADDED.fullmatch(shown) and value == int(value):
        return f"{int(value):0{len(shown)}d}"
    if shown in ("General", "@", ""):
        is_shown = abs(value) < MAX_GENERAL
    else:
        found = _PLACES.search(shown)
        places = len(found[1]) if found else 0
        is_shown = not set("%Ee") & set(shown) and abs(round(value, places) - value) < 10 ** -(places + 6)
    if not is_shown:
        text = _("is %(value)s, but the sheet shows something else: format the cell as text")
        raise ValueError(text % {"value": exact})
    return exact


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
            texts.append(_text(value, cell, column))
        except ValueError as error:
            problems.add(name, number, column, str(error))
            texts.append("")
    return texts


def _text(value: Any, cell: Any, column: str) -> str:
    """Return a cell as CSV contains it; raises ValueError if its value differs from the shown one."""
    if cell.data_type == "f":
        raise ValueError(_("is a formula: paste its value instead"))
    if cell.data_type == "e":
        raise ValueError(_("is an error of the spreadsheet: %(value)s") % {"value": value})
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, datetime) and column in TIME_COLUMNS:
        return value.isoformat(" ", "minutes")
    if isinstance(value, datetime | date):
        if column not in DATE_COLUMNS:
            raise ValueError(_("is a date: Excel has made one of a text; format the cell as text"))
        return value.date().isoformat() if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return _number_text(value, cell.number_format)
    raise ValueError(_("holds something that is neither a text nor a number"))
