"""Turns of those who write to SQLite (docs/guarantees/operation.md#waiting).

SQLite has one lock for all writers and no queue: who finds it taken looks again after ever longer pauses, up
to a tenth of a second, so that those who write one after the other keep all others out. A turn orders them;
what keeps their writes apart is still SQLite's lock.
"""

import fcntl
import logging
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from threading import Lock

from core.database_errors import NoTurnError

log = logging.getLogger(__name__)

# Seconds between two looks at a locked file; of each process one thread looks at a time.
_PAUSE = 0.001
# Among the threads of this process.
_one_writer = Lock()


@contextmanager
def turn_to_write(file: str | None, limit: float) -> Iterator[float]:
    """Wait until nobody else writes to a database within a turn; gives the seconds that are left of `limit`.

    `file`: its path, None for one in memory, which no other process has. Raises NoTurnError after the limit.
    """
    until = time.monotonic() + limit
    if not _one_writer.acquire(timeout=limit):
        raise NoTurnError("another thread has written to the database for too long")
    try:
        with _turn_of_process(file, until) if file else ExitStack():
            yield max(until - time.monotonic(), 0)
    finally:
        _one_writer.release()


@contextmanager
def _turn_of_process(file: str, until: float) -> Iterator[None]:
    """Keep other processes from writing until the block ends; raises NoTurnError at `until` (monotonic time).

    Who comes next is settled while another still writes, or a process with many threads would be quicker than
    the others each time.
    """
    with ExitStack() as turn:
        with locked_file(f"{file}-next", file, until):
            turn.enter_context(locked_file(f"{file}-turn", file, until))
        yield


@contextmanager
def locked_file(path: str, database: str, until: float) -> Iterator[None]:
    """Lock a file beside a database until the block ends; the system unlocks it for a process that dies.

    Where it cannot be locked the block runs without: then the writers only wait longer for each other.
    Raises NoTurnError at `until` (monotonic time).
    """
    try:
        opened = _open(path, database)
    except OSError as error:
        _warn(str(error))
        yield
        return
    try:
        while not _lock(opened):
            if time.monotonic() >= until:
                raise NoTurnError("another process has written to the database for too long")
            time.sleep(_PAUSE)
        yield
    finally:
        # A child process that was begun meanwhile has the file open too, so that closing it is not enough.
        with suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_UN)
        os.close(opened)


def _open(path: str, database: str) -> int:
    """Open the file; a new one has the owner and the mode of the database, as SQLite's own files have."""
    with suppress(FileNotFoundError):
        return os.open(path, os.O_RDWR | os.O_CLOEXEC)
    opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with suppress(OSError):
        like = os.stat(database)
        os.fchmod(opened, like.st_mode & 0o777)
        if os.geteuid() == 0:
            os.fchown(opened, like.st_uid, like.st_gid)
    return opened


def _lock(opened: int) -> bool:
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        _warn(str(error))
    return True


@cache
def _warn(reason: str) -> None:
    """Log once what keeps writers from taking turns."""
    log.warning("writers take no turns: %s", reason)
