"""Moves files whose row is missing to the folder lost/ of the data (docs/production.md#lost-files)."""

import json
import logging
import os
import shutil
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from core.data_mark import refuse_other_files

log = logging.getLogger(__name__)

# Far longer than the time between writing a file and committing its row.
OLD_AFTER = timedelta(days=1)
# Moved files are deleted after this time.
RETENTION = timedelta(days=30)
# The number of files whose rows are looked up together.
BATCH = 1_000


@dataclass(frozen=True)
class Withheld:
    """A folder with so many files without a row that none was moved."""

    folder: str
    lost: int
    files: int


def move_lost_files(folder: Path, with_row: Callable[[list[str]], Collection[str]]) -> int:
    """Move the files of a folder that have no row and are older than OLD_AFTER; return how many.

    Faults leave few such files. If there are more than `most_lost` allows, the database is probably not that
    of this folder, so nothing is moved, and the dashboard shows it (`withheld`). Moved files are deleted
    after RETENTION, but not while a folder is withheld. `with_row`: returns the names of those files that
    belong to a row. If a file cannot be moved, the error is logged and the next file follows. Raises OSError
    if the data folder is not that of the database.
    """
    refuse_other_files()
    names = _names(folder)
    lost = _lost(folder, names, with_row)
    notice = _lost_folder() / f"{folder.name}.json"
    if len(lost) > most_lost(len(names)):
        log.error(
            "%s: %d of %d files have no row, so none is moved: is this the database of the data folder?",
            folder,
            len(lost),
            len(names),
        )
        _write(notice, Withheld(folder.name, len(lost), len(names)))
        return 0
    notice.unlink(missing_ok=True)
    moved = sum(_move(folder / name) for name in lost)
    if not withheld():
        _delete_old(folder.name)
    return moved


def withheld() -> list[Withheld]:
    """Return the folders whose lost files were not moved at the last try."""
    found = []
    for notice in sorted(_lost_folder().glob("*.json")):
        # Another process may delete it.
        with suppress(FileNotFoundError):
            found.append(Withheld(**json.loads(notice.read_text())))
    return found


def most_lost(files: int) -> int:
    """Return how many files of a folder may be moved in one night."""
    return min(100, max(10, files // 100))


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
    except FileNotFoundError:
        return []


def _lost(folder: Path, names: list[str], with_row: Callable[[list[str]], Collection[str]]) -> list[str]:
    before = time.time() - OLD_AFTER.total_seconds()
    lost = []
    for first in range(0, len(names), BATCH):
        batch = names[first : first + BATCH]
        for name in set(batch).difference(with_row(batch)):
            # The file may be deleted in the meantime.
            with suppress(FileNotFoundError):
                if (folder / name).stat().st_mtime < before:
                    lost.append(name)
    return lost


def _move(file: Path) -> bool:
    try:
        to = _private(_lost_folder() / timezone.localdate().isoformat() / file.parent.name)
        shutil.move(file, to / file.name)
    except OSError:
        log.exception("a file without a row could not be moved")
        return False
    return True


def _write(notice: Path, content: Withheld) -> None:
    draft = _private(notice.parent) / f"{notice.name}.draft"
    draft.write_text(json.dumps(asdict(content)))
    draft.replace(notice)


def _delete_old(folder: str) -> None:
    """Delete what was moved from a folder before RETENTION."""
    last = timezone.localdate() - RETENTION
    for day in _lost_folder().glob("????-??-??"):
        # Not a date, or a day whose other folders still have files.
        with suppress(ValueError, OSError):
            if date.fromisoformat(day.name) < last:
                shutil.rmtree(day / folder, ignore_errors=True)
                day.rmdir()


def _lost_folder() -> Path:
    return Path(settings.DATA_DIR) / "lost"


def _private(folder: Path) -> Path:
    """Make a folder that only the shop can read, and return it."""
    _lost_folder().mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
