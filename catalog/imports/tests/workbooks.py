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
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace(old, new), data.replace(old.encode(), new.encode()))


def rewrite(path: Path, change: Callable[[str, bytes], bytes]) -> None:
    """Change the files inside of a workbook by name."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, change(name, data))
