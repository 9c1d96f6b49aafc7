"""Writes tables to files. Importing an exported file changes nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from defusedcsv import csv
from django.db.models import QuerySet
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from catalog.goods.models import Brand, Category, Product
from catalog.imports.catalogue_tables import BRANDS, CATEGORIES, PRICES, PRODUCTS
from catalog.imports.cells import Shown
from catalog.imports.children import FIELDS as CHILDREN
from catalog.imports.children import children_of
from catalog.imports.formulas import escape_formula, escape_quotes
from catalog.imports.stock_importers import STOCKTAKE
from catalog.imports.tables import Column, Table
from catalog.stock.models import StockLevel

# The number of rows that one query reads, so that no read transaction stays open for long.
BATCH = 1000


@dataclass(frozen=True)
class Export:
    """A table to export, and the queryset of its rows."""

    table: Table
    rows: Callable[[], QuerySet[Any]]

    def count(self) -> int:
        """Return the number of rows."""
        return self.rows().count()

    def columns(self) -> list[Column]:
        """Return the columns that have values."""
        return [column for column in self.table.columns if column.field or column.value]

    def lines(self) -> Iterator[list[Shown]]:
        """Yield the heading, then the rows sorted by key."""
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
        Export(PRODUCTS, lambda: Product.objects.select_related("group", "picture")),
        Export(PRICES, Product.objects.all),
        Export(STOCKTAKE, lambda: StockLevel.objects.select_related("product", "location")),
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
    """Write lines as CSV with a byte order mark; no cell is a formula."""
    file.write("\N{BOM}")
    writer = csv.writer(file)
    for line in lines:
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in line])


def write_xlsx(lines: Iterable[Sequence[Shown]], file: IO[bytes]) -> None:
    """Write lines as a workbook; all texts stay texts, even if they look like formulas."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.freeze_panes = "A2"
    for line in lines:
        sheet.append([_typed(sheet, cell) if isinstance(cell, str) else cell for cell in line])
    book.save(file)


def _typed(sheet: Any, text: str) -> Any:
    if not text:
        return None
    safe = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", escape_quotes(text))
    # openpyxl would write these as a formula or an error.
    if safe[0] not in "=#":
        return safe
    cell = WriteOnlyCell(sheet, safe)
    cell.data_type = "s"
    return cell


# The formats of exports, which are also their file extensions.
FORMATS = ("csv", "xlsx")


def write_file(lines: Iterable[Sequence[Shown]], path: Path, format: str) -> None:
    """Write lines to a file in one of FORMATS."""
    if format == "xlsx":
        with path.open("wb") as book:
            write_xlsx(lines, book)
    else:
        with path.open("w", encoding="utf-8", newline="") as table:
            write_csv(lines, table)
