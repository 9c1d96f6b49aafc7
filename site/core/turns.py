"""Turns of those who write to SQLite (docs/guarantees.md#waiting).

SQLite has one lock for all writers and no queue: who finds it taken looks again after ever longer pauses, up
to a tenth of a second, so that a process in which one thread writes after the other keeps all others out.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import RLock, local
from typing import TYPE_CHECKING, cast

from django.db import connection

from core.database_errors import NoTurnError
from core.database_limits import lock_seconds, sqlite_lock_limit

if TYPE_CHECKING:
    from django.db.backends.sqlite3.base import DatabaseWrapper as SqliteDatabase

# Seconds between two looks at a locked file; of each process one thread looks at a time.
_PAUSE = 0.001
# Among the threads of this process. One may enter again, since what runs after a commit may begin a
# transaction of its own.
_one_writer = RLock()


class _OwnTurn(local):
    """What this thread does when others may write again; None while it keeps nobody waiting."""

    later: list[Callable[[], object]] | None = None


_own_turn = _OwnTurn()


@contextmanager
def turn_to_write() -> Iterator[None]:
    """Wait until nobody else writes to SQLite within a turn; raises NoTurnError after the limit.

    On PostgreSQL, and within a transaction, it does nothing.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    limit, started = lock_seconds(), time.monotonic()
    if not _one_writer.acquire(timeout=limit):
        raise NoTurnError("another thread has written to the database for too long")
    outer, later = _own_turn.later, list[Callable[[], object]]()
    try:
        with _turn_of_process(started + limit, is_ours=outer is not None):
            _own_turn.later = later if outer is None else outer
            # What is left is for those who write without a turn.
            with sqlite_lock_limit(limit - (time.monotonic() - started)):
                yield
    finally:
        _own_turn.later = outer
        _one_writer.release()
        for work in later:
            work()


def when_others_may_write(work: Callable[[], object]) -> None:
    """Do some work that may take its time: at once, or after this thread's turn to write to SQLite."""
    if _own_turn.later is None:
        work()
    else:
        _own_turn.later.append(work)


@contextmanager
def _turn_of_process(until: float, *, is_ours: bool) -> Iterator[None]:
    """Keep other processes from writing until the block ends; raises NoTurnError at `until` (monotonic time).

    Who comes next is settled while another still writes, or a process with many threads would be quicker than
    the others each time.
    """
    database = cast("SqliteDatabase", connection)
    if is_ours or database.is_in_memory_db():
        yield
        return
    name = database.settings_dict["NAME"]
    with ExitStack() as turn:
        with _locked(f"{name}-next", until):
            turn.enter_context(_locked(f"{name}-turn", until))
        yield


@contextmanager
def _locked(path: str, until: float) -> Iterator[None]:
    """Lock a file until the block ends; the system unlocks it for a process that dies."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not _lock(file):
            if time.monotonic() >= until:
                raise NoTurnError("another process has written to the database for too long")
            time.sleep(_PAUSE)
        yield
    finally:
        # A child process that was begun meanwhile has the file open too, so that closing it is not enough.
        fcntl.flock(file, fcntl.LOCK_UN)
        os.close(file)


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
