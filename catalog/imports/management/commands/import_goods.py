"""`manage.py import_goods`: imports the catalogue, prices and stock from CSV or Excel files and pictures."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from catalog.imports.catalogue_importers import TableImporter
from catalog.imports.importing import Difference, Import, importer_for, prepare
from catalog.imports.problems import ImportRefusedError, Problems
from catalog.imports.sheets import open_sheet
from catalog.imports.stock_importers import STOCK, TABLE_IMPORTERS
from core.data_mark import mismatch
from core.pictures.renditions import make_renditions

# The files in a folder, and whether each is required; a file's heading identifies its table.
NAMES = {
    "categories": True,
    "brands": True,
    "goods": True,
    "prices": False,
    "stock": False,
    "stocktake": False,
}
ENDINGS = (".csv", ".xlsx")


class Command(BaseCommand):
    help = (
        "Imports files, CSV or Excel, of categories, brands, goods, prices, opening stock or a stocktake; "
        "their headings identify them. Of a folder: categories, brands, goods, and what else there is "
        "of prices, stock, stocktake and pictures/. All files are checked before anything is written: with "
        "one problem, nothing is. Then a few rows at a time are written, each batch whole, so that "
        "orders wait for no more than one; an import that is interrupted is finished by repeating it. Rows "
        "that the shop has already are updated; repeating it changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", type=_path, metavar="PATH", help="a folder or files")
        parser.add_argument("--pictures", type=_folder, help="a folder instead of FOLDER/pictures")
        parser.add_argument("--dry-run", action="store_true", help="only print what would change")
        parser.add_argument(
            "--atomic", action="store_true", help="write everything or nothing; orders wait for its end"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        paths = [file for path in options["paths"] for file in _files(path)]
        if not paths:
            raise CommandError("name a folder, or files of categories, brands, goods, prices or stock")
        pictures = options["pictures"] or next(_pictures(options["paths"]), None)
        try:
            self._import(paths, pictures, atomic=options["atomic"], dry_run=options["dry_run"])
        except ImportRefusedError as refusal:
            count = len(refusal.problems)
            done = "the rows before it were imported" if refusal.is_partial else "nothing was imported"
            raise CommandError(f"{refusal}\n{count} problem(s): {done}.") from None

    def _import(self, paths: list[Path], pictures: Path | None, *, atomic: bool, dry_run: bool) -> None:
        products = _prepare(paths, pictures)
        with tqdm(desc="checking", total=products.rows, unit=" rows", disable=None) as bar:
            differences = products.check(bar.update)
        for name, difference in differences.items():
            self.stdout.write(f"{name}: {_summary(name, difference)}")
        if dry_run:
            self.stdout.write("Dry run: nothing was changed.")
            return
        if problem := mismatch():
            raise CommandError(f"nothing was imported: {problem} (docs/production.md#the-data-mark)")
        with tqdm(desc="writing", total=products.rows, unit=" rows", disable=None) as bar:
            products.write(bar.update, atomic=atomic)
        # A repeated import creates renditions that an interruption leaves out; pages create missing ones.
        for image in tqdm(products.pictures.unfinished(), desc="pictures", disable=None):
            make_renditions(image)


def _prepare(paths: list[Path], pictures: Path | None) -> Import:
    problems = Problems()
    found: dict[type[TableImporter], Any] = {}
    for path in paths:
        sheet = open_sheet(path, problems, while_reading=lambda: None)
        kind = importer_for(sheet, TABLE_IMPORTERS, problems)
        if kind and kind in found:
            raise CommandError(f"two files of {kind.table.name}: {found[kind].name}, {sheet.name}")
        if kind:
            found[kind] = sheet
    problems.refuse()
    return prepare({kind: found[kind] for kind in TABLE_IMPORTERS if kind in found}, pictures, problems)


def _summary(name: str, difference: Difference) -> str:
    if name == STOCK.name:
        left = "".join(f"\n  row {row['row']}, {row['what']}: {row['why']}" for row in difference.left_first)
        return f"{difference.new} new, {difference.same} the same, {difference.left} left as they are{left}"
    fields = ", ".join(f"{field} {count}" for field, count in sorted(difference.fields.items()))
    changed = f"{difference.changed} changed" + (f" ({fields})" if fields else "")
    return f"{difference.new} new, {changed}, {difference.same} the same"


def _files(path: Path) -> list[Path]:
    """Return the files in a folder, or the file itself; raises CommandError if a file is missing."""
    if path.is_file():
        return [path]
    found, missing = [], []
    for name, is_needed in NAMES.items():
        file = next((file for end in ENDINGS if (file := path / f"{name}{end}").is_file()), None)
        if file:
            found.append(file)
        elif is_needed:
            missing.append(str(path / f"{name}.csv"))
    if missing:
        raise CommandError(f"not found: {', '.join(missing)}")
    return found


def _pictures(paths: list[Path]) -> Iterator[Path]:
    return (path / "pictures" for path in paths if (path / "pictures").is_dir())


def _path(text: str) -> Path:
    if not Path(text).exists():
        raise argparse.ArgumentTypeError(f"there is no folder or file {text}")
    return Path(text)


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    return Path(text)
