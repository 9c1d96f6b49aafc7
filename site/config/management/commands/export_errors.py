"""`manage.py export_errors`: writes the islands' copy of the error catalogue."""

import json
from argparse import ArgumentParser
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from core.errors import STAFF_ONLY, Err

FOLDER: Path = settings.BASE_DIR / "islands" / "i18n"


def exported() -> dict[str, str]:
    """Return the catalogue as JSON, file name → text, in the catalogue's order.

    English pages also need the Chinese texts, to recognise a message without its key. Refusals with their own
    HTTP status always have their key. Errors for staff only are left out. See docs/wire.md#error-catalogue.
    """
    shown = [err for err in Err if err not in STAFF_ONLY]
    rows: dict[str, Any] = {
        "errors.en.json": {err.name: _english(err) for err in shown},
        "errors.zh.json": {err.name: err.zh for err in shown},
    }
    # One top-level key, since a bundler creates an export for each.
    return {
        name: json.dumps({"errors": texts}, ensure_ascii=False, indent=2) + "\n"
        for name, texts in rows.items()
    }


def _english(err: Err) -> dict[str, str]:
    return ({"zh": err.zh} if err.status == HTTPStatus.OK else {}) | {"en": err.en}


class Command(BaseCommand):
    """Writes the error texts of islands/i18n; with --check only reports outdated files."""

    help = "Write the islands' copy of the error catalogue."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="Write nothing; end with 1 if one is stale.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write or check the files."""
        for name, text in exported().items():
            file = FOLDER / name
            if not options["check"]:
                file.write_text(text, "utf-8")
            elif not file.exists() or file.read_text("utf-8") != text:
                raise SystemExit(f"{name} is stale: run `make types`.")
