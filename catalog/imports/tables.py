"""The tables that can be imported, and the code that reads their rows."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from catalog.imports import cells
from catalog.imports.formulas import unescape_formula
from catalog.imports.problems import Problems
from catalog.imports.sheets import Sheet

_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Forbidden characters or an escaped formula. Most rows have none, so the joined row is searched first.
_TO_LOOK_AT = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f']")


@dataclass(frozen=True)
class Column:
    """A column: its name in the file, its field (empty if it is only checked), and its kind of cell.

    `value`: returns the exported value of a row, if it is not the field.
    """

    name: str
    field: str
    cell: cells.Cell
    optional: bool = False
    value: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Table:
    """A table; `key`: the columns that are unique together."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    max_rows: int = 1_000_000

    @property
    def needed(self) -> list[str]:
        """The names of the columns that a file must have."""
        return [column.name for column in self.columns if not column.optional]

    def fit(self, heading: Sequence[str]) -> float:
        """Return how well a heading matches the table, from 0 for no match to 1 for an exact match."""
        known = {column.name for column in self.columns}
        return len(known & set(heading)) / len({*self.needed, *heading})


@dataclass(frozen=True, slots=True)
class Row:
    """A row's values by column, without the columns that the file lacks."""

    file: str
    number: int
    values: dict[str, Any]


def heading_of(sheet: Sheet) -> list[str]:
    """Return the column names of a file."""
    return next((record for _number, record in sheet.records(Problems())), [])


def read_rows(table: Table, sheet: Sheet, problems: Problems, seen: dict[Any, int]) -> Iterator[Row]:
    """Yield the valid rows of a file, and record the problems of the others.

    Fills `seen`: key → row number. Raises ImportRefusedError at MAX_PROBLEMS.
    """
    records = sheet.records(problems)
    _number, heading = next(records, (1, []))
    columns = _columns(table, heading, sheet.name, problems)
    if columns is None:
        return
    for count, (number, record) in enumerate(records, 1):
        if count > table.max_rows:
            problems.add(
                sheet.name, number, "", _("is one row too many: %(most)s") % {"most": table.max_rows}
            )
            return
        row = _read_row(columns, record, sheet.name, number, problems)
        if row is None:
            continue
        key = tuple(row.values[name] for name in table.key)
        first = seen.setdefault(key if len(key) > 1 else key[0], number)
        if first != number:
            text = _("“%(what)s” is already in row %(row)s")
            problems.add(
                sheet.name, number, table.key[-1], text % {"what": ", ".join(map(str, key)), "row": first}
            )
            continue
        yield row


def _columns(table: Table, names: list[str], file: str, problems: Problems) -> list[Column] | None:
    """Return the columns of a heading; without a match record problems and return None."""
    known = {column.name: column for column in table.columns}
    wrong = [
        *((name, _("is missing")) for name, col in known.items() if name not in names and not col.optional),
        *((name, _("is an unknown column")) for name in names if name not in known),
        *((name, _("appears twice")) for name in sorted({n for n in names if names.count(n) > 1})),
    ]
    for name, text in wrong:
        problems.add(file, 1, printable(name), text)
    return None if wrong else [known[name] for name in names]


def _read_row(
    columns: list[Column], record: list[str], file: str, number: int, problems: Problems
) -> Row | None:
    if len(record) != len(columns):
        counts = {"count": len(record), "wanted": len(columns)}
        problems.add(file, number, "", _("has %(count)s cells instead of %(wanted)s") % counts)
        return None
    values: dict[str, Any] = {}
    clean = _clean if _TO_LOOK_AT.search("".join(record)) else str.strip
    for column, raw in zip(columns, record, strict=True):
        try:
            values[column.name] = column.cell.read(clean(raw))
        except ValueError as error:
            problems.add(file, number, column.name, str(error))
    return Row(file, number, values) if len(values) == len(columns) else None


def _clean(raw: str) -> str:
    cell = unescape_formula(raw.strip())
    if _NOT_UTF8.search(cell):
        raise ValueError(_("is not UTF-8"))
    if _CONTROL.search(cell):
        raise ValueError(_("holds a control character"))
    return cell


def printable(text: str) -> str:
    """Return a text from a file so that any terminal can print it."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
