"""The queues' file of SQLite: opened when it is used, and begun anew where it is damaged.

It holds hints, whose loss is no fault (docs/guarantees/operation.md#tasks).
"""

import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import RLock
from typing import Any

from huey import SqliteHuey
from huey.storage import SqliteStorage

from core.database_errors import PRIMARY_CODE
from core.sqlite.turns import locked_file

log = logging.getLogger(__name__)

# A file that is only locked, or on a full disk, has other codes.
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class QueueFile(SqliteStorage):
    """One queue of the file. A file that cannot be read as a database is renamed to `….damaged`."""

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(name, create_tables=False, **options)
        # Held by one thread from its first statement until the file is set aside.
        self.lock = RLock()
        self._opened = self._identity()

    @property
    def conn(self) -> sqlite3.Connection:
        """The connection to the file that has the name now: another process may have begun a new one."""
        if self._identity() != self._opened:
            self.close()
        connection: sqlite3.Connection = super().conn
        return connection

    @contextmanager
    def db(self, commit: bool = False, close: bool = False) -> Iterator[sqlite3.Cursor]:
        """Give a cursor; damage is raised once, since the file is set aside."""
        with self.lock:
            try:
                with super().db(commit, close) as cursor:
                    yield cursor
            except sqlite3.DatabaseError as error:
                if _is_damage(error):
                    with self._turn():
                        self._set_aside(error)
                raise

    def _create_connection(self) -> sqlite3.Connection:
        # Nobody opens a file while it is renamed: SQLite would find one's data and another's log.
        with self._turn():
            try:
                return self._open()
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self._set_aside(error)
                return self._open()

    def _open(self) -> sqlite3.Connection:
        try:
            connection: sqlite3.Connection = super()._create_connection()
        finally:
            self._opened = self._identity()
        for statement in self.ddl:
            connection.execute(statement)
        return connection

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        """Rename the file that was opened, unless another process has; only the last one is kept."""
        self.close()
        if self._identity() != self._opened:
            return
        log.error("the queues begin anew, their file %s is damaged: %s", self.filename, error)
        # The file itself goes last, so that a new one never meets the log of the old one.
        for suffix in ("-wal", "-shm", ""):
            aside = f"{self.filename}.damaged{suffix}"
            with suppress(FileNotFoundError):
                os.unlink(aside)
            with suppress(FileNotFoundError):
                os.rename(self.filename + suffix, aside)

    def _turn(self) -> AbstractContextManager[None]:
        return locked_file(f"{self.filename}-turn", self.filename, time.monotonic() + self._timeout)

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.filename)
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    # What the module raises itself has no code.
    return getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE in _DAMAGED


class FileHuey(SqliteHuey):
    """Huey whose queues are stored there."""

    storage_class = QueueFile
