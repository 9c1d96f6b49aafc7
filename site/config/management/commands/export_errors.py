"""Writes the islands' copy of the error catalogue."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from core.errors import Err

FILE: Path = settings.BASE_DIR / "islands" / "i18n" / "errors.json"


def exported() -> str:
    """Return the catalogue as JSON: key → code, Chinese, English, in the order of CONTRACT 6."""
    rows = {err.name: {"code": err.code, "zh": err.zh, "en": err.en} for err in Err}
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


class Command(BaseCommand):
    """Writes islands/i18n/errors.json; with --check only tells whether it is fresh."""

    help = "Write the islands' copy of the error catalogue."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="Write nothing; end with 1 if it is stale.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write or check the file."""
        if options["check"]:
            if not FILE.exists() or FILE.read_text("utf-8") != exported():
                raise SystemExit(f"{FILE.name} is stale: run `make types`.")
        else:
            FILE.write_text(exported(), "utf-8")
