"""`manage.py import_goods`: the catalogue and its opening stock from CSV files and a folder of pictures.

It stands in `stock`, the lowest app that knows both goods and stock.
"""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from tqdm import tqdm

from catalog.goods.importer.goods import CatalogueImport, Source, prepare
from catalog.goods.importer.pictures import files_removed_on_failure
from catalog.goods.importer.plan import Plan
from catalog.goods.importer.problems import ImportRefusedError, Problems
from catalog.stock.importer import StockImport, prepare_stock
from core.pictures import make_renditions

REFERENCE = "import"


class Command(BaseCommand):
    help = (
        "Imports categories.csv, brands.csv, goods.csv, stock.csv (optional) and pictures/ of a folder, or "
        "single files: all of it or nothing. Rows that the shop has already are updated; repeating it "
        "changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=_folder, help="where the files are")
        for name in ("categories", "brands", "goods", "stock"):
            parser.add_argument(f"--{name}", type=_file, help=f"a CSV file instead of FOLDER/{name}.csv")
        parser.add_argument("--pictures", type=_folder, help="a folder instead of FOLDER/pictures")
        parser.add_argument("--dry-run", action="store_true", help="only tell what would change")

    def handle(self, *args: Any, **options: Any) -> None:
        source, stock_file = _source(options)
        try:
            catalogue, stock = _prepare(source, stock_file)
        except ImportRefusedError as refusal:
            count = len(refusal.problems)
            raise CommandError(f"{refusal}\n{count} problem(s): nothing was imported.") from None
        self._tell(catalogue, stock)
        if options["dry_run"]:
            self.stdout.write("Dry run: nothing was changed.")
            return
        with files_removed_on_failure() as made, transaction.atomic():
            catalogue.apply(made)
            if stock:
                stock.apply(REFERENCE)
        # A repeat finishes what an interruption here leaves; until then the pages make it themselves.
        for image in tqdm(catalogue.unfinished_pictures(), desc="pictures", disable=None):
            make_renditions(image)

    def _tell(self, catalogue: CatalogueImport, stock: StockImport | None) -> None:
        plans = {
            "categories": catalogue.categories,
            "brands": catalogue.brands,
            "spec groups": catalogue.groups,
            "goods": catalogue.goods,
        }
        for name, plan in plans.items():
            self.stdout.write(f"{name}: {len(plan.new)} new, {_changes(plan)}, {plan.same} the same")
        if stock:
            self.stdout.write(f"stock levels: {stock.count()} new, {stock.same} left as they are")


def _changes(plan: Plan) -> str:
    fields = ", ".join(f"{name} {count}" for name, count in sorted(plan.changed_fields().items()))
    return f"{len(plan.changed)} changed" + (f" ({fields})" if fields else "")


def _prepare(source: Source, stock_file: Path | None) -> tuple[CatalogueImport, StockImport | None]:
    problems = Problems()
    catalogue = prepare(source, problems)
    stock = prepare_stock(stock_file, catalogue.skus, problems) if stock_file else None
    problems.refuse()
    return catalogue, stock


def _source(options: dict[str, Any]) -> tuple[Source, Path | None]:
    """Complete the options by what lies in the folder; raises CommandError for what is not there."""
    folder: Path | None = options["folder"]
    files: dict[str, Path | None] = {
        name: options[name] or (folder / f"{name}.csv" if folder else None)
        for name in ("categories", "brands", "goods")
    }
    missing = [str(path) for path in files.values() if path and not path.is_file()]
    if missing:
        raise CommandError(f"not found: {', '.join(missing)}")
    if not any(files.values()):
        raise CommandError("name a folder, or at least one of --categories, --brands, --goods")
    pictures = options["pictures"] or _if_there(folder, "pictures")
    return Source(**files, pictures=pictures), options["stock"] or _if_there(folder, "stock.csv")


def _if_there(folder: Path | None, name: str) -> Path | None:
    return folder / name if folder and (folder / name).exists() else None


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return Path(text)


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    return Path(text)
