"""The databases of scenarios: files of SQLite, and a PostgreSQL server of their own that may be broken."""

import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from tools.chaos.figures import ScenarioError
from tools.launch import HOST, POSTGRESQL, SQLITE, free_port

# PostgreSQL refuses to run as root; Debian's packages make this user.
_USER = "postgres"
_LOADED = "loaded"


class Sqlite:
    """Files, each in the data folder of its shop."""

    name = SQLITE

    def __init__(self, folder: Path) -> None:
        self._kept = folder / "loaded.sqlite3"

    def url(self, folder: Path) -> str:
        """Return the address of the database of a shop whose data folder this is."""
        return f"sqlite:///{folder / 'shop.sqlite3'}"

    def create(self, folder: Path) -> None:
        """Create an empty database for a folder: the next process that opens the file begins a new one."""
        for file in folder.glob("shop.sqlite3*"):
            file.unlink()

    def of_tests(self, folder: Path) -> dict[str, str]:
        """Return what selects this engine for tests, in their environment: SQLite is the default."""
        return {}

    def keep(self, folder: Path) -> None:
        """Keep the database of a folder as the one that others are copied from, with what its log has."""
        self.back_up(folder, self._kept)

    def copy(self, folder: Path) -> None:
        """Copy the kept database for a folder."""
        self.restore(folder, self._kept)

    def rows(self, folder: Path, sql: str) -> list[tuple[Any, ...]]:
        """Return what a query finds in the database of a folder."""
        with closing(sqlite3.connect(folder / "shop.sqlite3", timeout=10)) as connection:
            return connection.execute(sql).fetchall()

    def write(self, folder: Path, sql: str) -> None:
        """Run a statement in the database of a folder, outside any transaction."""
        with closing(
            sqlite3.connect(folder / "shop.sqlite3", isolation_level=None, timeout=20)
        ) as connection:
            connection.execute(sql)

    def back_up(self, folder: Path, file: Path) -> None:
        """Write the database into a file while it is used, as in docs/production.md#backups."""
        with closing(sqlite3.connect(folder / "shop.sqlite3")) as connection:
            connection.execute("VACUUM INTO ?", [str(file)])

    def restore(self, folder: Path, file: Path) -> None:
        """Create a database for a folder of what was backed up."""
        shutil.copy(file, folder / "shop.sqlite3")


class Postgres:
    """A server of its own on a free port, so that a scenario may stop, stall and kill it."""

    name = POSTGRESQL

    def __init__(self, folder: Path, *, port: int) -> None:
        self._data = folder / "data"
        self.port = port
        self.folder = folder

    def url(self, folder: Path) -> str:
        """Return the address of the database named after the folder."""
        return f"postgres://{_USER}@{HOST}:{self.port}/{folder.name.replace('-', '_')}"

    def create(self, folder: Path) -> None:
        """Create the database, after removing an older one."""
        self.execute(f'DROP DATABASE IF EXISTS "{_name(folder)}" WITH (FORCE)')
        self.execute(f"CREATE DATABASE \"{_name(folder)}\" TEMPLATE template0 ENCODING 'UTF8'")

    def of_tests(self, folder: Path) -> dict[str, str]:
        """Return the address of the database, next to which tests make their own, and that of the server."""
        server = {"PGHOST": HOST, "PGPORT": str(self.port), "PGUSER": _USER}
        return {"DATABASE_URL": self.url(folder)} | server

    def keep(self, folder: Path) -> None:
        """Rename the database of a folder, which must have no connections."""
        self.execute(f'ALTER DATABASE "{_name(folder)}" RENAME TO "{_LOADED}"')

    def copy(self, folder: Path) -> None:
        """Copy the kept database."""
        self.execute(f'DROP DATABASE IF EXISTS "{_name(folder)}" WITH (FORCE)')
        self.execute(f'CREATE DATABASE "{_name(folder)}" TEMPLATE "{_LOADED}"')

    def rows(self, folder: Path, sql: str) -> list[tuple[Any, ...]]:
        """Ask the server."""
        with psycopg.connect(self.url(folder)) as connection:
            return connection.cursor().execute(sql.encode()).fetchall()

    def write(self, folder: Path, sql: str) -> None:
        """Run a statement in the database of a folder, outside any transaction."""
        with psycopg.connect(self.url(folder), autocommit=True) as connection:
            connection.execute(sql)

    def back_up(self, folder: Path, file: Path) -> None:
        """Dump the database in the server's own folder, where its user may write, and move that."""
        dump = self.folder / "dump"
        _run("pg_dump", "--format=custom", "--file", dump, "--dbname", self.url(folder))
        shutil.move(dump, file)

    def restore(self, folder: Path, file: Path) -> None:
        """Create the database, and fill it."""
        self.create(folder)
        dump = self.folder / "dump"
        shutil.copy(file, dump)
        _run("pg_restore", "--exit-on-error", "--jobs=2", "--dbname", self.url(folder), dump)
        dump.unlink()
        _run("vacuumdb", "--analyze-only", "--quiet", "--dbname", self.url(folder))

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
        options = f"-p {self.port} -k '' -c listen_addresses={HOST} -c max_connections=100"
        self._control("start", "--log", self.folder / "server.log", "--options", options)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; `mode`: fast, or immediate as after a power cut."""
        self._control("stop", "--mode", mode)

    def _control(self, action: str, *options: object) -> None:
        _run("pg_ctl", action, "--pgdata", self._data, "--wait", "--silent", *options)

    def kill(self) -> None:
        """Kill the server and all its processes together, and wait until they are gone."""
        # Standing still, it starts no child that is missed here and keeps the next server from starting.
        os.kill(self._processes()[0], signal.SIGSTOP)
        killed = self._processes()
        for pid in killed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(_is_alive(pid) for pid in killed):
            time.sleep(0.01)
        # In a container the end may remain unnoticed, and then its successor would think that it runs.
        (self._data / "postmaster.pid").unlink()

    def stall(self) -> None:
        """Suspend every process of the server."""
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


# A database engine: where the loaded demonstration is stored, and copies of it for each scenario.
Engine = Sqlite | Postgres


@contextmanager
def own_postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL server in a temporary folder; raises ScenarioError where there is none to run."""
    if not _bin():
        raise ScenarioError("PostgreSQL's server is not installed")
    with tempfile.TemporaryDirectory(prefix="scenario-postgres-") as name:
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


def _is_alive(pid: int) -> bool:
    """Return True if a process runs; one that has ended may wait for its parent to notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


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
