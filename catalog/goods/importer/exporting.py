"""Tables written to files that the import reads back: an export imported again changes nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from defusedcsv import csv
from django.db.models import QuerySet
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from catalog.goods.importer.cells import Shown
from catalog.goods.importer.children import FIELDS as CHILDREN
from catalog.goods.importer.children import children_of
from catalog.goods.importer.guard import guard, guard_quotes
from catalog.goods.importer.kinds import BRANDS, CATEGORIES, GOODS, PRICES
from catalog.goods.importer.tables import Column, Table
from catalog.goods.models import Brand, Category, Product

# Rows for each query: pages by key, so that no reading hangs open while others write.
BATCH = 1000


@dataclass(frozen=True)
class Export:
    """A table to write, and where its rows come from."""

    table: Table
    rows: Callable[[], QuerySet[Any]]

    def count(self) -> int:
        """Return how many rows there are."""
        return self.rows().count()

    def columns(self) -> list[Column]:
        """Return the columns that say something about the rows."""
        return [column for column in self.table.columns if column.field or column.value]

    def lines(self) -> Iterator[list[Shown]]:
        """Yield the heading, then the rows in the order of their keys."""
        columns = self.columns()
        yield [column.name for column in columns]
        last: Any = None
        while batch := list(self._after(last)):
            last = batch[-1].pk
            yield from _lines(columns, batch)

    def _after(self, last: Any) -> QuerySet[Any]:
        rows = self.rows().order_by("pk")
        return (rows if last is None else rows.filter(pk__gt=last))[:BATCH]


EXPORTS: dict[str, Export] = {
    export.table.name: export
    for export in (
        Export(CATEGORIES, lambda: Category.objects.select_related("picture")),
        Export(BRANDS, Brand.objects.all),
        Export(GOODS, lambda: Product.objects.select_related("group", "picture")),
        Export(PRICES, Product.objects.all),
    )
}


def _lines(columns: Sequence[Column], batch: Sequence[Any]) -> Iterator[list[Shown]]:
    ids = [row.pk for row in batch]
    children = {
        column.field: children_of(column.field, ids, "file") for column in columns if column.field in CHILDREN
    }
    if pictures := children.get("gallery"):
        for pk, names in pictures.items():
            pictures[pk] = tuple(Path(name).name for name in names)
    for row in batch:
        line = []
        for column in columns:
            if column.value:
                value = column.value(row)
            elif column.field in children:
                value = children[column.field].get(row.pk, ())
            else:
                value = getattr(row, column.field)
            line.append(column.cell.show(value))
        yield line


def write_csv(lines: Iterable[Sequence[Shown]], file: IO[str]) -> None:
    """Write lines; no spreadsheet takes any cell for a formula. The file starts with a byte order mark."""
    file.write("\N{BOM}")
    writer = csv.writer(file)
    for line in lines:
        writer.writerow([guard(cell) if isinstance(cell, str) else cell for cell in line])


def write_xlsx(lines: Iterable[Sequence[Shown]], file: IO[bytes]) -> None:
    """Write lines as a workbook, its texts as texts whatever they begin with."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.freeze_panes = "A2"
    for line in lines:
        sheet.append([_typed(sheet, cell) if isinstance(cell, str) else cell for cell in line])
    book.save(file)


def _typed(sheet: Any, text: str) -> Any:
    if not text:
        return None
    safe = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", guard_quotes(text))
    # What openpyxl would take for a formula or an error.
    if safe[0] not in "=#":
        return safe
    cell = WriteOnlyCell(sheet, safe)
    cell.data_type = "s"
    return cell


# How files are written, by their ending.
FORMATS = ("csv", "xlsx")


def write_file(lines: Iterable[Sequence[Shown]], path: Path, format: str) -> None:
    """Write lines to a file in one of the formats."""
    if format == "xlsx":
        with path.open("wb") as book:
            write_xlsx(lines, book)
    else:
        with path.open("w", encoding="utf-8", newline="") as table:
            write_csv(lines, table)
