"""Imports files in two passes: the first only checks, the second writes in batches."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from wagtail.images.models import AbstractImage

from catalog.imports.catalogue_importers import TableImporter
from catalog.imports.checks import Known
from catalog.imports.pictures import Pictures, files_removed_on_failure
from catalog.imports.plan import Plan
from catalog.imports.problems import ImportRefusedError, Problems
from catalog.imports.sheets import Sheet
from catalog.imports.tables import Row, heading_of, read_rows
from core.batches import MAX_SIZE, short_batches
from core.table_sizes import note_table_sizes
from core.transactions import in_transaction

# Called with the number of rows processed since the last call.
ReportProgress = Callable[[int], object]
# They are read only together with a folder of pictures.
PICTURE_COLUMNS = ("picture", "gallery")
# The number of changes per table that are shown.
FIRST_CHANGES = 50
# A heading with a lower fit for every table is unknown.
MIN_FIT = 0.5
# Characters that result from reading another encoding as UTF-8.
NO_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass
class Difference:
    """The changes of one table by an import; `first` has the first FIRST_CHANGES of them.

    `left`: the number of rows that are not written; `left_first`: the first of them, with reasons.
    `ignored`: the columns of the file that are not read.
    """

    new: int = 0
    same: int = 0
    changed: int = 0
    left: int = 0
    left_first: list[dict[str, Any]] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    fields: Counter[str] = field(default_factory=Counter)
    first: list[dict[str, Any]] = field(default_factory=list)

    def add(self, plan: Plan) -> None:
        """Add the rows of a plan to the counts."""
        self.new += len(plan.new)
        self.same += plan.same
        self.changed += len(plan.changed)
        self.fields += plan.changed_fields()
        self.left += len(plan.left)
        for row, reason in plan.left[: FIRST_CHANGES - len(self.left_first)]:
            what = ", ".join(str(row.values[name]) for name in row.values if name in _NAMING)
            self.left_first.append({"row": row.number, "what": what, "why": reason})
        for change in plan.changed[: FIRST_CHANGES - len(self.first)]:
            fields = [
                {"name": name, "old": _shown(name, change.before[name]), "new": _shown(name, value)}
                for name, value in change.after.items()
            ]
            self.first.append({"row": change.source.number, "what": str(change.row), "fields": fields})


# The columns that name a row of stock.
_NAMING = ("location", "sku")


def _shown(field: str, value: Any) -> str:
    if value is None or field in ("picture", "gallery"):
        return ""
    if isinstance(value, list | tuple):
        return " | ".join(_shown("", part) for part in value)
    return str(value)


@dataclass
class Import:
    """The files of an import with their importers, sorted by dependency."""

    importers: Sequence[tuple[TableImporter, Sheet]]
    pictures: Pictures
    known: Known
    problems: Problems

    @property
    def rows(self) -> int:
        """The approximate number of rows per pass."""
        return sum(sheet.rows for _importer, sheet in self.importers)

    def check(self, report_progress: ReportProgress) -> dict[str, Difference]:
        """Check all files and return their changes by table; nothing is written.

        Raises ImportRefusedError with the problems of all files.
        """
        found: dict[str, Difference] = {}
        for importer, sheet in self.importers:
            found.setdefault(importer.table.name, Difference())
            for rows in _large_batches(self._rows(importer, sheet), importer.rows_checked):
                for plan in importer.plan(rows, self.problems):
                    found.setdefault(plan.name, Difference()).add(plan)
                report_progress(len(rows))
            if self.pictures.hashes is None:
                found[importer.table.name].ignored = sorted({*PICTURE_COLUMNS} & {*heading_of(sheet)})
            self.known.is_sound = not self.problems.found
        self.problems.refuse()
        return found

    def write(self, report_progress: ReportProgress, *, atomic: bool = False) -> None:
        """Write all rows in short transactions; with `atomic`, in a single transaction.

        An interruption leaves whole batches, and a repeated import continues after them. Raises
        ImportRefusedError if a file was changed after the check.
        """
        try:
            with files_removed_on_failure() as made, transaction.atomic() if atomic else nullcontext():
                for importer, sheet in self.importers:
                    self.known.of(importer.table.name).clear()
                    ordered = importer.in_order(self._rows(importer, sheet))
                    for rows in _large_batches(ordered, MAX_SIZE) if atomic else short_batches(ordered):
                        self.problems.refuse()
                        images = _write(importer, rows)
                        if atomic:
                            made += images
                        report_progress(len(rows))
                self.problems.refuse()
        except ImportRefusedError as refusal:
            refusal.is_partial = not atomic
            raise
        # While SQLite does not know the size of a first catalogue, it reads all products for queries of few.
        note_table_sizes()

    def _rows(self, importer: TableImporter, sheet: Sheet) -> Iterator[Row]:
        return read_rows(importer.table, sheet, self.problems, self.known.of(importer.table.name))


def _large_batches(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    while batch := list(islice(rows, size)):
        yield batch


@in_transaction
def _write(importer: TableImporter, rows: Sequence[Row]) -> list[AbstractImage]:
    with files_removed_on_failure() as made:
        importer.write(rows, made)
    return made


def prepare(files: Mapping[type[TableImporter], Sheet], pictures: Path | None, problems: Problems) -> Import:
    """Return an import of files, sorted by dependency; `pictures`: the folder of their pictures."""
    known, shown = Known.from_shop(), Pictures(pictures)
    return Import([(kind(known, shown), sheet) for kind, sheet in files.items()], shown, known, problems)


def importer_for(
    sheet: Sheet, importers: Sequence[type[TableImporter]], problems: Problems
) -> type[TableImporter] | None:
    """Return the importer for a file's heading or name; without a match record problems and return None."""
    if problems.concern(sheet.name):
        return None
    heading = heading_of(sheet)
    if NO_TEXT.search("".join(heading)):
        problems.add(sheet.name, 1, "", _("is not UTF-8: save it as “CSV UTF-8”, or as .xlsx"))
        return None
    best = max(importers, key=lambda importer: importer.table.fit(heading))
    if best.table.fit(heading) >= MIN_FIT:
        return best
    for importer in importers:
        if importer.table.name == Path(sheet.name).stem:
            return importer
    problems.add(sheet.name, 1, "", _("its headings match no table"))
    for table in (importer.table for importer in importers):
        values = {"table": table.name, "columns": ", ".join(table.needed)}
        problems.add(sheet.name, 1, "", _("%(table)s needs the columns: %(columns)s") % values)
    return None
