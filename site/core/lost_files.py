"""Deletes files that a fault has left without their row (docs/data-growth.md)."""

import logging
import time
from collections.abc import Callable, Collection
from datetime import timedelta
from pathlib import Path

log = logging.getLogger(__name__)

# Far longer than between a file and the commit of its row.
OLD_AFTER = timedelta(days=1)
# Files whose rows are looked up together.
BATCH = 1_000


def delete_lost_files(folder: Path, with_row: Callable[[list[str]], Collection[str]]) -> int:
    """Delete the files of a folder that have had no row for a day since they were written; returns how many.

    `with_row`: of the names of some files those that a row has. A file that cannot be deleted is logged and
    keeps no other file.
    """
    try:
        names = [file.name for file in folder.iterdir()]
    except FileNotFoundError:
        return 0
    before = time.time() - OLD_AFTER.total_seconds()
    deleted = 0
    for first in range(0, len(names), BATCH):
        batch = names[first : first + BATCH]
        for name in set(batch).difference(with_row(batch)):
            try:
                if (folder / name).stat().st_mtime < before:
                    (folder / name).unlink()
                    deleted += 1
            except OSError:
                log.exception("a file without a row could not be deleted")
    return deleted
