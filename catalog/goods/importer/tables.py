"""The tables that can be imported, and how their rows are read."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from catalog.goods.importer import cells
from catalog.goods.importer.problems import Problems
from catalog.goods.models import Category, Storage

# Longer than any text of the catalogue; csv refuses what is longer.
_LONGEST_CELL = 20_000
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Column:
    """A column by its name in the file, the field it goes to (empty: it is only checked), and its reader."""

    name: str
    field: str
    read: cells.Reader
    optional: bool = False


@dataclass(frozen=True)
class Table:
    """A kind of file; `key` is the column that must not come twice."""

    columns: tuple[Column, ...]
    key: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A row as it was read: values by column; what the file has no column for is missing."""

    file: str
    number: int
    values: dict[str, Any]


_NAMES = (Column("name_en", "name_en", cells.text(200)), Column("name_zh", "name_zh", cells.text(200)))
_PICTURE = Column("picture", "picture", cells.text(200, blank=True))

CATEGORIES = Table(
    key=("classify_id",),
    columns=(
        Column("classify_id", "id", cells.identifier),
        Column("classify_pid", "parent_id", cells.parent),
        *_NAMES,
        _PICTURE,
        Column("tint", "tint", cells.colour),
        Column("sort", "sort", cells.number(0)),
        Column(
            "unit_price",
            "unit_rule",
            cells.one_of({rule: rule for rule in Category.UnitRule.values}),
            optional=True,
        ),
    ),
)
BRANDS = Table(
    key=("brand_id",),
    columns=(
        Column("brand_id", "id", cells.identifier),
        *_NAMES,
        Column("origin", "origin", cells.country),
        Column("house", "is_house", cells.flag),
        Column("zh_kind", "", cells.text(40, blank=True), optional=True),
    ),
)
GOODS = Table(
    key=("sku",),
    columns=(
        Column("goods_id", "id", cells.identifier),
        Column("sku", "sku", cells.text(40)),
        Column("classify_id", "category_id", cells.identifier),
        Column("first_classify_id", "", cells.identifier, optional=True),
        Column("brand_id", "brand_id", cells.identifier),
        *_NAMES,
        Column("pack", "pack", cells.text(40)),
        Column("net_weight_g", "net_weight", cells.number(1)),
        Column("unit_en", "unit_en", cells.text(20)),
        Column("unit_zh", "unit_zh", cells.text(20)),
        Column("price_aud", "price", cells.price),
        Column("gst", "gst_free", cells.one_of({"free": True, "taxable": False})),
        Column("storage", "storage", cells.one_of({word: word for word in Storage.values})),
        Column("origin", "origin", cells.country),
        _PICTURE,
        Column("desc_en", "description_en", cells.text(5_000, blank=True)),
        Column("desc_zh", "description_zh", cells.text(5_000, blank=True)),
        Column("direct_mail", "is_self", cells.flag, optional=True),
        Column("advance", "is_advance", cells.flag, optional=True),
        Column("min_amount", "min_amount", cells.or_default(cells.number(1), 1), optional=True),
        Column("limit_amount", "limit_amount", cells.or_default(cells.number(0), 0), optional=True),
        Column("spec_group", "group", cells.code, optional=True),
        Column("spec_en", "", cells.text(60, blank=True), optional=True),
        Column("spec_zh", "", cells.text(60, blank=True), optional=True),
        Column("variant_en", "variant_en", cells.text(60, blank=True), optional=True),
        Column("variant_zh", "variant_zh", cells.text(60, blank=True), optional=True),
    ),
)
# Spec groups have no file: the goods' rows tell them.
GROUPS = Table(
    key=("spec_group",),
    columns=(
        Column("spec_group", "code", cells.code),
        Column("spec_en", "name_en", cells.text(60)),
        Column("spec_zh", "name_zh", cells.text(60)),
    ),
)


def read_table(table: Table, path: Path, problems: Problems) -> list[Row]:
    """Read a file's good rows and note what is wrong with the others.

    Raises ImportRefusedError past a bound of problems.
    """
    rows: list[Row] = []
    seen: dict[Any, int] = {}
    records = _records(path, problems)
    heading = next(records, None)
    columns = _columns(table, heading[1] if heading else [], path.name, problems)
    if columns is None:
        return rows
    for number, record in records:
        row = _read_row(columns, record, path.name, number, problems)
        if row is None:
            continue
        key = tuple(row.values[name] for name in table.key)
        if key in seen:
            what = ", ".join(map(str, key))
            text = _("“%(what)s” stands in row %(row)s already") % {"what": what, "row": seen[key]}
            problems.add(path.name, number, table.key[-1], text)
            continue
        seen[key] = number
        rows.append(row)
    return rows


def _records(path: Path, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a file with their numbers, empty rows left out."""
    csv.field_size_limit(_LONGEST_CELL)
    # What is no UTF-8 becomes lone surrogates, which the row's check then finds in their place.
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        records = csv.reader(file, strict=True)
        number = 0
        while True:
            number += 1
            try:
                record = next(records)
            except StopIteration:
                return
            except csv.Error as error:
                problems.add(path.name, number, "", _("is no CSV: %(error)s") % {"error": error})
                return
            if record:
                yield number, record


def _columns(table: Table, names: list[str], file: str, problems: Problems) -> list[Column] | None:
    """Match a heading with a table; None after noting what does not fit."""
    known = {column.name: column for column in table.columns}
    wrong = [
        *((name, _("is missing")) for name, col in known.items() if name not in names and not col.optional),
        *((name, _("is no known column")) for name in names if name not in known),
        *((name, _("comes twice")) for name in sorted({n for n in names if names.count(n) > 1})),
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
    for column, raw in zip(columns, record, strict=True):
        cell = raw.strip()
        try:
            if _NOT_UTF8.search(cell):
                raise ValueError(_("is not UTF-8"))
            if _CONTROL.search(cell):
                raise ValueError(_("holds a control character"))
            values[column.name] = column.read(cell)
        except ValueError as error:
            problems.add(file, number, column.name, str(error))
    return Row(file, number, values) if len(values) == len(columns) else None


def printable(text: str) -> str:
    """Write a text from a file so that any terminal can show it."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
