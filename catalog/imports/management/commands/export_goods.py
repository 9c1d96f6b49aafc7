"""`manage.py export_goods`: writes files that `import_goods` can read."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from catalog.imports.exporting import EXPORTS, FORMATS, write_file


class Command(BaseCommand):
    help = (
        "Writes a table to FILE, CSV or Excel by its ending: categories, brands, goods, prices, or the stock "
        "as a stocktake. Importing it again changes nothing. Spreadsheets take no cell for a formula."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("table", choices=sorted(EXPORTS))
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        export, file = EXPORTS[options["table"]], options["file"]
        format = file.suffix.removeprefix(".").lower()
        if format not in FORMATS:
            raise CommandError(f"the file's name must end with one of: {', '.join(FORMATS)}")
        # An interruption must leave an existing file unchanged.
        draft = file.with_name(f"{file.name}.part")
        try:
            with tqdm(export.lines(), total=export.count() + 1, unit=" rows", disable=None) as lines:
                write_file(lines, draft, format)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
        self.stdout.write(f"{export.count()} rows of {options['table']} in {file}")
