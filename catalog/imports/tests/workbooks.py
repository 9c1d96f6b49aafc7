"""Excel workbooks for tests of the import."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from catalog.imports.tests.files import Rows


def write_xlsx(path: Path, rows: Rows, change: Callable[[Any], None] = lambda sheet: None) -> None:
    """Write rows with the columns of the first; `change` may alter the sheet."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(rows[0]))
    for row in rows:
        sheet.append(list(row.values()))
    change(sheet)
    book.save(path)


def rename(path: Path, old: str, new: str) -> None:
    """Rename a file inside of a workbook, also where the others name it."""
    pack(path, lambda name, data: (name.replace(old, new), data.replace(old.encode(), new.encode())))


def rewrite(path: Path, change: Callable[[str, bytes], bytes]) -> None:
    """Change the files inside of a workbook by name."""
    pack(path, lambda name, data: (name, change(name, data)))


def pack(
    path: Path,
    change: Callable[[str, bytes], tuple[str, bytes]] = lambda name, data: (name, data),
    packing: int = zipfile.ZIP_DEFLATED,
) -> None:
    """Pack the files inside of a workbook again, each with the name and the content that `change` returns."""
    with zipfile.ZipFile(path) as archive:
        members = [change(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in members:
            archive.writestr(name, data)
