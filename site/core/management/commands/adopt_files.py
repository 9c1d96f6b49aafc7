"""`manage.py adopt_files`: makes the data folder that of the database (docs/production.md#the-data-mark)."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from core.data_mark import adopt, has_files, mismatch


class Command(BaseCommand):
    """Writes a new mark to the database and the data folder, after an operator has moved or restored one."""

    help = "Write a new mark to the database and the data folder, so that tasks and uploads use its files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--confirm", action="store_true", help="Write the mark; otherwise only report.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Report what belongs together, and write the mark if confirmed; raise CommandError if it fails."""
        database = settings.DATABASES["default"]["NAME"]
        self.stdout.write(
            f"Database: {database}\n"
            f"Data folder: {settings.DATA_DIR}, {'with' if has_files() else 'without'} files\n"
            f"{mismatch() or 'They belong together.'}"
        )
        if not options["confirm"]:
            self.stdout.write(
                "Nothing was changed. With --confirm both get a new mark, and the shop uses the files of "
                "this folder: it deletes expired ones, and moves files without a row to lost/."
            )
            return
        try:
            adopt()
        except OSError as error:
            raise CommandError(f"the mark cannot be written: {error.strerror}") from error
        self.stdout.write(
            "Both have a new mark. Other databases and folders with the old one do not fit them."
        )
