"""Reads CSV files and first sheets of workbooks; the content determines the format, not the name."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from catalog.imports import workbooks
from catalog.imports.csv_formats import UTF_8, CsvFormat, csv_format
from catalog.imports.problems import Problems
from core.typed_text import clean_text

# The csv module refuses longer cells; texts of the catalogue are shorter.
MAX_CELL = 20_000
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_CHUNK = 1 << 20

Record = tuple[int, list[str]]


@dataclass
class Sheet:
    """The rows of a file, which can be read repeatedly; its name and the approximate number of rows."""

    name: str
    path: Path
    rows: int
    _unpacked: workbooks.Unpacked | None = None
    _format: CsvFormat = UTF_8

    def records(self, problems: Problems) -> Iterator[Record]:
        """Yield rows with their numbers from 1, without empty rows; record a problem for invalid CSV.

        The first row is the heading. Empty cells beyond it are left out. Cells are cleaned like all typed
        texts (docs/wire.md#typed-texts).
        """
        for number, record in self._unpacked.records() if self._unpacked else self._rows(problems):
            yield number, list(map(clean_text, record))

    def _rows(self, problems: Problems) -> Iterator[Record]:
        width = 0
        for number, record in self._csv_records(problems):
            if not any(map(str.strip, record)):
                continue
            if not width:
                while not record[-1].strip():
                    record.pop()
                width = len(record)
            elif len(record) > width and not any(map(str.strip, record[width:])):
                del record[width:]
            yield number, record

    def _csv_records(self, problems: Problems) -> Iterator[Record]:
        csv.field_size_limit(MAX_CELL)
        encoding, separator, skipped = self._format
        # Bytes that cannot be decoded become lone surrogates, which the check of the row reports.
        with self.path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
            lines = csv.reader(file, strict=True, delimiter=separator)
            number = 0
            while True:
                number += 1
                try:
                    record = next(lines)
                except StopIteration:
                    return
                except csv.Error as error:
                    text = _("cannot be read as CSV: %(error)s") % {"error": error}
                    problems.add(self.name, number, "", text)
                    return
                if number > skipped:
                    yield number, record


def open_sheet(
    path: Path, problems: Problems, name: str = "", while_reading: Callable[[], object] | None = None
) -> Sheet:
    """Open a file for reading; `name`: its name in messages, by default the path's.

    A workbook is converted to a temporary file, because its cells are slow to read twice. `while_reading` is
    called repeatedly during the conversion; None within a request, which reads only small ones. Records the
    problems of unreadable files; raises ImportRefusedError at MAX_PROBLEMS.
    """
    called = name or path.name
    with path.open("rb") as file:
        head = file.read(4)
    if head == _OLE:
        problems.add(called, 1, "", _("is an old or locked Excel file: save it as .xlsx without a password"))
    if head in (_OLE, _ZIP):
        unpacked = workbooks.unpack(path, called, problems, while_reading)
        return Sheet(called, path, unpacked.rows, unpacked)
    return Sheet(called, path, _lines(path), _format=csv_format(path))


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b""))
