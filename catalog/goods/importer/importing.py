"""An import: two passes over its files, the first only looks, the second writes a batch at a time."""

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

from catalog.goods.importer.checks import Known
from catalog.goods.importer.pictures import Pictures, files_removed_on_failure
from catalog.goods.importer.plan import Plan
from catalog.goods.importer.problems import ImportRefusedError, Problems
from catalog.goods.importer.sheets import Sheet
from catalog.goods.importer.steps import Step
from catalog.goods.importer.tables import Row, heading_of, read_rows
from core.transactions import in_transaction

# Called with the number of rows that are done since it was called last.
Tell = Callable[[int], object]
# So many changes of each kind of rows are shown one by one.
FIRST_CHANGES = 50
# A heading that fits no table so well is not taken for the one that it fits best.
LEAST_FIT = 0.5
# What is left of a file in another encoding.
NO_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass
class Difference:
    """What an import would do to one kind of rows; `first` are the first of its changes."""

    new: int = 0
    same: int = 0
    changed: int = 0
    fields: Counter[str] = field(default_factory=Counter)
    first: list[dict[str, Any]] = field(default_factory=list)

    def add(self, plan: Plan) -> None:
        """Count the rows of a plan."""
        self.new += len(plan.new)
        self.same += plan.same
        self.changed += len(plan.changed)
        self.fields += plan.changed_fields()
        for change in plan.changed[: FIRST_CHANGES - len(self.first)]:
            fields = [
                {"name": name, "old": _shown(name, change.before[name]), "new": _shown(name, value)}
                for name, value in change.after.items()
            ]
            self.first.append({"row": change.source.number, "what": str(change.row), "fields": fields})


def _shown(field: str, value: Any) -> str:
    if value is None or field in ("picture", "gallery"):
        return ""
    if isinstance(value, list | tuple):
        return " | ".join(_shown("", part) for part in value)
    return str(value)


@dataclass
class Import:
    """Files with what is done to each, in this order; `steps` goes from the least to what hangs on others."""

    steps: Sequence[tuple[Step, Sheet]]
    pictures: Pictures
    known: Known
    problems: Problems

    @property
    def rows(self) -> int:
        """About how many rows one pass has."""
        return sum(sheet.rows for _step, sheet in self.steps)

    def check(self, tell: Tell) -> dict[str, Difference]:
        """Check all files and tell what they would change, by the kind of rows; nothing is written.

        Raises ImportRefusedError with the problems of all files.
        """
        found: dict[str, Difference] = {}
        for step, sheet in self.steps:
            found.setdefault(step.table.name, Difference())
            for rows in self._batches(step, sheet):
                for plan in step.plan(rows, self.problems):
                    found.setdefault(plan.name, Difference()).add(plan)
                tell(len(rows))
            self.known.is_sound = not self.problems.found
        self.problems.refuse()
        return found

    def write(self, tell: Tell, *, at_once: bool = False) -> None:
        """Write all rows; each batch is a transaction, or all of them together are one.

        An interruption leaves whole batches, and a repeat goes on after them: what is written is not written
        again. Raises ImportRefusedError for files that have been changed since they were checked.
        """
        try:
            with files_removed_on_failure() as made, transaction.atomic() if at_once else nullcontext():
                for step, sheet in self.steps:
                    self.known.of(step.table.name).clear()
                    for rows in self._batches(step, sheet):
                        self.problems.refuse()
                        images = _write(step, rows)
                        if at_once:
                            made += images
                        tell(len(rows))
                self.problems.refuse()
        except ImportRefusedError as refusal:
            refusal.is_partial = not at_once
            raise

    def _batches(self, step: Step, sheet: Sheet) -> Iterator[list[Row]]:
        rows = read_rows(step.table, sheet, self.problems, self.known.of(step.table.name))
        while batch := list(islice(rows, step.batch)):
            yield batch


@in_transaction
def _write(step: Step, rows: Sequence[Row]) -> list[AbstractImage]:
    with files_removed_on_failure() as made:
        step.write(rows, made)
    return made


def prepare(files: Mapping[type[Step], Sheet], pictures: Path | None, problems: Problems) -> Import:
    """Make an import of files in the order of their kinds; `pictures`: the folder of those that rows name."""
    known, shown = Known.by_the_shop(), Pictures(pictures)
    return Import([(kind(known, shown), sheet) for kind, sheet in files.items()], shown, known, problems)


def kind_of(sheet: Sheet, kinds: Sequence[type[Step]], problems: Problems) -> type[Step] | None:
    """Find out by its heading what a file is, or by its name; None after noting what each kind needs."""
    if problems.concern(sheet.name):
        return None
    heading = heading_of(sheet)
    if NO_TEXT.search("".join(heading)):
        problems.add(sheet.name, 1, "", _("is not UTF-8: save it as “CSV UTF-8”, or as .xlsx"))
        return None
    best = max(kinds, key=lambda kind: kind.table.fit(heading))
    if best.table.fit(heading) >= LEAST_FIT:
        return best
    for kind in kinds:
        if kind.table.name == Path(sheet.name).stem:
            return kind
    problems.add(sheet.name, 1, "", _("its heading fits no table"))
    for table in (kind.table for kind in kinds):
        told = {"table": table.name, "columns": ", ".join(table.needed)}
        problems.add(sheet.name, 1, "", _("%(table)s needs the columns: %(columns)s") % told)
    return None
