"""Reads the manifest of the islands' build: name → hashed files."""

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders

MANIFEST = "islands/manifest.json"


class Built(NamedTuple):
    """One entry of the build: its URL and the URLs of its static imports."""

    url: str
    imports: list[str]


def manifest_file() -> Path | None:
    """Return the path of the build's manifest; None before the first build."""
    found = finders.find(MANIFEST)
    return Path(found) if found else None


@lru_cache(maxsize=1)
def _entries(file: Path, _changed_ns: int) -> dict[str, Built]:
    # The files import each other by their hashed names, so the storage must not hash them again.
    base = f"{settings.STATIC_URL}islands/"
    return {
        name: Built(base + entry["file"], [base + file for file in entry["imports"]])
        for name, entry in json.loads(file.read_text("utf-8")).items()
    }


def built(name: str) -> Built | None:
    """Return an entry of the build by its name; None before the first build or for an unknown name."""
    file = manifest_file()
    return _entries(file, file.stat().st_mtime_ns).get(name) if file else None
