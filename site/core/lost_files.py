"""Deletes files whose row is missing after a fault (docs/data-growth.md)."""

import logging
import time
from collections.abc import Callable, Collection
from datetime import timedelta
from pathlib import Path

log = logging.getLogger(__name__)

# Far longer than the time between writing a file and committing its row.
OLD_AFTER = timedelta(days=1)
# The number of files whose rows are looked up together.
BATCH = 1_000


def delete_lost_files(folder: Path, with_row: Callable[[list[str]], Collection[str]]) -> int:
    """Delete the files of a folder that have no row and are older than OLD_AFTER; return how many.

    `with_row`: returns the names of those files that belong to a row. If a file cannot be deleted, the error
    is logged and the next file follows.
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
