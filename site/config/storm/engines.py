"""The databases of storms: files of SQLite, and a PostgreSQL server of their own that may be broken."""

import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Protocol

import psycopg

from config.storm.figures import StormError

HOST = "127.0.0.1"
POSTGRESQL, SQLITE = "PostgreSQL", "SQLite"
# PostgreSQL refuses to run as root; Debian's packages make this user.
_USER = "postgres"
_LOADED = "loaded"


class Engine(Protocol):
    """A database engine: where the loaded demonstration is kept, and copies of it for each storm."""

    name: str

    def url(self, folder: Path) -> str:
        """Return the address of the database of a shop whose data folder this is."""

    def keep(self, folder: Path) -> None:
        """Keep the database of a folder as the one that others are copied from."""

    def copy(self, folder: Path) -> None:
        """Make a copy of the kept database for a folder."""


class Sqlite:
    """Files, each in the data folder of its shop."""

    name = SQLITE

    def __init__(self, folder: Path) -> None:
        self._kept = folder / "loaded.sqlite3"

    def url(self, folder: Path) -> str:
        """Return the address of the file."""
        return f"sqlite:///{folder / 'shop.sqlite3'}"

    def keep(self, folder: Path) -> None:
        """Copy the file, with what its log still has."""
        with closing(sqlite3.connect(folder / "shop.sqlite3")) as connection:
            connection.execute("VACUUM INTO ?", [str(self._kept)])

    def copy(self, folder: Path) -> None:
        """Copy the kept file."""
        shutil.copy(self._kept, folder / "shop.sqlite3")


class Postgres:
    """A server of its own on a free port, so that a storm may stop, stall and kill it."""

    name = POSTGRESQL

    def __init__(self, folder: Path, *, port: int) -> None:
        self._data = folder / "data"
        self.port = port
        self.folder = folder

    def url(self, folder: Path) -> str:
        """Return the address of the database named after the folder."""
        return f"postgres://{_USER}@{HOST}:{self.port}/{folder.name.replace('-', '_')}"

    def keep(self, folder: Path) -> None:
        """Rename the database of a folder; nobody may be connected."""
        self.execute(f'ALTER DATABASE "{_name(folder)}" RENAME TO "{_LOADED}"')

    def copy(self, folder: Path) -> None:
        """Copy the kept database."""
        self.execute(f'DROP DATABASE IF EXISTS "{_name(folder)}" WITH (FORCE)')
        self.execute(f'CREATE DATABASE "{_name(folder)}" TEMPLATE "{_LOADED}"')

    def create(self, folder: Path) -> None:
        """Create an empty database for a folder."""
        self.execute(f"CREATE DATABASE \"{_name(folder)}\" TEMPLATE template0 ENCODING 'UTF8'")

    def execute(self, sql: str) -> None:
        """Run a statement outside any transaction, as the server's owner."""
        with psycopg.connect(
            host=HOST, port=self.port, user=_USER, dbname=_USER, autocommit=True
        ) as connection:
            connection.execute(sql)

    def initialise(self) -> None:
        """Make the server's files."""
        _run("initdb", "--pgdata", self._data, "--username", _USER, "--auth", "trust", "--no-sync")

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses={HOST} -c max_connections=100"
        _run(
            "pg_ctl",
            "start",
            "--pgdata",
            self._data,
            "--wait",
            "--silent",
            "--log",
            self.folder / "server.log",
            "--options",
            options,
        )

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; `mode`: fast, or immediate as after a power cut."""
        _run("pg_ctl", "stop", "--pgdata", self._data, "--mode", mode, "--wait", "--silent")

    def kill(self) -> None:
        """Kill the server and all its processes at once."""
        for pid in self._processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def stall(self) -> None:
        """Let every process of the server stand still."""
        for pid in self._processes():
            os.kill(pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let the server go on."""
        for pid in self._processes():
            os.kill(pid, signal.SIGCONT)

    def _processes(self) -> list[int]:
        main = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [main, *map(int, children)]


@contextmanager
def own_postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL server in a temporary folder; raises StormError where there is none to run."""
    if not _bin():
        raise StormError("PostgreSQL's server is not installed")
    with tempfile.TemporaryDirectory(prefix="storm-postgres-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, _USER)
        server = Postgres(folder, port=free_port())
        server.initialise()
        server.start()
        try:
            yield server
        finally:
            with suppress(subprocess.CalledProcessError):
                server.stop("immediate")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _name(folder: Path) -> str:
    return folder.name.replace("-", "_")


def _bin() -> Path | None:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else next(iter(folders), None)


def _run(program: str, *arguments: object) -> None:
    folder = _bin()
    assert folder
    command = [str(folder / program), *map(str, arguments)]
    user = pwd.getpwnam(_USER).pw_uid if os.geteuid() == 0 else None
    subprocess.run(command, check=True, user=user, cwd="/", stdout=subprocess.DEVNULL)
