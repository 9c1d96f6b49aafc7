"""The mark that the database and its data folder share (docs/production.md#the-data-mark).

Files are found by names in rows. With another database, tasks would delete and overwrite the wrong files.
"""

import errno
import logging
import os
import threading
import time
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core.ids import new_secret
from core.models import DataMark

log = logging.getLogger(__name__)

# The folders of files that rows name.
FOLDERS = ("media", "documents", "files", "certificates", "claims", "invoices", "credit_notes")
# How long a result is used again; a repair is noticed after this time.
FRESH_SECONDS = 5.0
# More than any mark has, in case the file is another one.
MAX_BYTES = 100


class OtherFilesError(OSError):
    """Raised instead of using a data folder that is not that of the database, like a read-only disk."""


class _Result(NamedTuple):
    """A problem, empty if there is none, and the end of its use on the monotonic clock."""

    problem: str
    until: float


_lock = threading.Lock()
_latest = _Result("", 0)


def mismatch() -> str:
    """Return why the data folder is not that of the database; empty if both belong together.

    The first check of a new database marks its empty folder. That of a database from before the mark marks
    its folder with files. A change of the result is logged once in each process. Raises DatabaseError.
    """
    global _latest
    if time.monotonic() < _latest.until:
        return _latest.problem
    problem = _problem()
    with _lock:
        before, _latest = _latest, _Result(problem, time.monotonic() + FRESH_SECONDS)
    if problem and problem != before.problem:
        log.error("%s: %s; nothing uses its files until that is repaired", settings.DATA_DIR, problem)
    elif before.problem and not problem:
        log.info("%s is the data folder of the database again", settings.DATA_DIR)
    return problem


def refuse_other_files() -> None:
    """Raise OtherFilesError if the data folder is not that of the database."""
    if problem := mismatch():
        raise OtherFilesError(errno.EROFS, problem)


def adopt() -> None:
    """Write a new mark to the database and to the data folder.

    Locks: the row, until the file is written, so that concurrent calls leave the same mark in both. Raises
    OSError if the file cannot be written; the database then keeps its mark.
    """
    mark = new_secret()
    with transaction.atomic():
        if not DataMark.objects.update(mark=mark, adopted_at=timezone.now()):
            DataMark.objects.create(pk=DataMark.ONLY, mark=mark, is_new=False, adopted_at=timezone.now())
        _write(mark, is_first=False)


def has_files() -> bool:
    """Return True if the data folder has files that rows may name."""
    return any(
        files for name in FOLDERS for _folder, _folders, files in os.walk(Path(settings.DATA_DIR) / name)
    )


def _problem() -> str:
    row = DataMark.objects.first()
    if row is None:
        return "the database has no mark"
    try:
        found = _read()
        if not found and row.adopted_at is None and has_files() != row.is_new:
            _write(row.mark, is_first=True)
            log.info("%s has got the mark of the database", settings.DATA_DIR)
            found = _read()
    except OSError as error:
        return f"the mark of the data folder cannot be read or written ({error.strerror})"
    if found == row.mark:
        if row.adopted_at is None:
            DataMark.objects.update(adopted_at=timezone.now())
        return ""
    if found:
        return "the data folder has the mark of another database"
    if row.adopted_at is not None:
        return "the data folder has no mark: it is another one, or its volume is not mounted"
    if row.is_new:
        return "the data folder has files, but the database is new"
    return "the data folder has no files, but the database names files"


def _file() -> Path:
    return Path(settings.DATA_DIR) / "data-mark"


def _read() -> str:
    """Return the mark of the data folder; empty if it has none."""
    try:
        with _file().open("rb") as file:
            return file.read(MAX_BYTES).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return ""


def _write(mark: str, *, is_first: bool) -> None:
    """Write the mark of the data folder, whole or not at all; `is_first`: leave a mark that exists."""
    draft = _file().with_suffix(f".{new_secret()}")
    try:
        draft.write_text(f"{mark}\n", "ascii")
        if is_first:
            try:
                os.link(draft, _file())
            except FileExistsError:
                # Another process was faster.
                return
        else:
            draft.replace(_file())
    finally:
        draft.unlink(missing_ok=True)
