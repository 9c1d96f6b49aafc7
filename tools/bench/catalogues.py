"""The databases to measure: one for each engine and size, loaded by the shop's own import and reused."""

import csv
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tools.launch import POSTGRESQL, ROOT, SQLITE, environment
from tools.processors import database_seconds, spent

FOLDER = ROOT / "build" / "bench"
# How many products the demonstration has; every catalogue includes them.
DEMONSTRATION = 490
# Every tenth of the other products is sold out.
SOLD_OUT_EVERY = 10
UNITS = 40
# The file that marks a loaded catalogue.
STAMP = "loaded.json"
# How often the processor time of PostgreSQL is looked at while a command runs.
POLL_SECONDS = 0.2


class BenchError(Exception):
    """Raised for what cannot be measured; the text is the reason."""


@dataclass(frozen=True)
class Loaded:
    """How a catalogue was loaded: the seconds and the peak memory, in MB, of its product import.

    `processor_seconds`: of the import and of PostgreSQL for it; None where it is not known.
    """

    loaded_at: str
    goods: int
    seconds: float
    peak_mb: float
    processor_seconds: float | None = None


def run_module(
    module: str, *arguments: str, environment: dict[str, str] | None = None, stdin: str = ""
) -> str:
    """Run a module as a process of its own; return what it printed. Raise BenchError if it fails."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True)
    if done.returncode:
        raise BenchError(f"{module} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def postgresql() -> str | None:
    """Return the URL of a server on which databases can be created; None, with the reason on stderr."""
    found = subprocess.run(
        [sys.executable, "scripts/find_postgres.py"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    return found.stdout.strip() or None


@dataclass(frozen=True)
class Catalogue:
    """A shop with `size` products in a database of its own; `server` is the URL of PostgreSQL.

    `orders`: how many were made besides; only on PostgreSQL, which can copy the database of the products.
    """

    size: int
    server: str | None = None
    orders: int = 0

    def __str__(self) -> str:
        orders = f", {self.orders:,} orders" if self.orders else ""
        return f"{self.engine}, {self.size:,} products{orders}"

    @property
    def engine(self) -> str:
        """The name of its database engine."""
        return POSTGRESQL if self.server else SQLITE

    @property
    def folder(self) -> Path:
        """The data folder of everything it writes at run time."""
        return FOLDER / f"{self.engine.lower()}-{self.size}{self._suffix}"

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a shop with this catalogue, a production start."""
        database = {"DATABASE_URL": self._url} if self.server else {}
        return environment(self.folder, DJANGO_SETTINGS_MODULE="tools.bench.settings", **database, **more)

    def call(self, module: str, function: str, **settings: str) -> Any:
        """Call a function of `tools.bench` in a process with the shop's environment; return its result."""
        environment = self.environment(LOG_LEVEL="ERROR", **settings)
        names = (f"tools.bench.{module}", function)
        return json.loads(run_module("tools.call", *names, environment=environment))

    def prepare(self, again: bool) -> Loaded:
        """Load the catalogue, unless it is loaded already; raises BenchError."""
        stamp = self.folder / STAMP
        if stamp.exists() and not again:
            self.manage("migrate", "--verbosity", "0")
            return Loaded(**json.loads(stamp.read_text()))
        shutil.rmtree(self.folder, ignore_errors=True)
        loaded_at = datetime.now(UTC).isoformat(timespec="seconds")
        loaded = Loaded(loaded_at, self.size, *(self._add_orders() if self.orders else self._load()))
        stamp.write_text(json.dumps(asdict(loaded)))
        return loaded

    def _load(self) -> tuple[float, float, float | None]:
        self.folder.mkdir(parents=True)
        if self.server:
            self._make_database("template0")
        self.manage("migrate", "--verbosity", "0")
        self.manage("load_demo")
        return self._fill()

    def _add_orders(self) -> tuple[float, float, float | None]:
        """Copy the shop without the orders, and make them; returns as `manage`."""
        before = replace(self, orders=0)
        before.prepare(False)
        shutil.copytree(before.folder, self.folder, ignore=shutil.ignore_patterns(STAMP))
        self._make_database(before.name)
        return self.manage("-m", "tools.call", "tools.bench.orders", "make_orders", str(self.orders))

    def _fill(self) -> tuple[float, float, float | None]:
        """Import the products that the demonstration lacks, and their stock; returns as `manage`."""
        if self.size <= DEMONSTRATION:
            return 0.0, 0.0, None
        product, stock = FOLDER / f"goods-{self.size}.csv", FOLDER / f"stock-{self.size}.csv"
        self.manage("write_synthetic_goods", str(self.size - DEMONSTRATION), str(product))
        _write_stock(product, stock)
        measured = self.manage("import_goods", str(product))
        self.manage("import_goods", str(stock))
        if self.server:
            with psycopg.connect(self._url, autocommit=True) as connection:
                # The server's autovacuum would do it after a while.
                connection.execute("VACUUM ANALYZE")
        return measured

    def manage(self, *arguments: str) -> tuple[float, float, float | None]:
        """Run a command, or a module by `-m`; raises BenchError where it fails.

        Returns the seconds, the peak memory in MB, and the processor time of it and of PostgreSQL for it.
        """
        started = time.monotonic()
        log = self.folder / "commands.log"
        command = arguments if arguments[0] == "-m" else ("manage.py", *arguments)
        before = database_seconds(self.name)
        with log.open("ab") as file:
            process = subprocess.Popen(
                [sys.executable, *command],
                cwd=ROOT,
                env=self.environment(),
                stdout=file,
                stderr=subprocess.STDOUT,
            )
            pid, last = 0, before
            while not pid:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                # A connection takes its figures with it when it ends.
                last = {**(last or {}), **(database_seconds(self.name) or {})} or None
                time.sleep(0 if pid else POLL_SECONDS)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise BenchError(f"{' '.join(command)} failed: see {log.relative_to(ROOT)}")
        # The kernel counts in KiB; macOS in bytes.
        unit = 1 if sys.platform == "darwin" else 1024
        database = spent(before, last) if self.server else 0.0
        own = usage.ru_utime + usage.ru_stime
        processor = None if database is None else round(own + database, 1)
        return time.monotonic() - started, usage.ru_maxrss * unit / 1e6, processor

    @property
    def name(self) -> str:
        """The name of its database on PostgreSQL."""
        return f"eastbowl_bench_{self.size}{self._suffix.replace('-', '_')}"

    @property
    def _suffix(self) -> str:
        return f"-orders-{self.orders}" if self.orders else ""

    @property
    def _url(self) -> str:
        assert self.server
        parts = urlsplit(self.server)
        query = f"?{parts.query}" if parts.query else ""
        return f"{parts.scheme}://{parts.netloc}/{self.name}{query}"

    def _make_database(self, template: str) -> None:
        assert self.server
        with psycopg.connect(self.server, dbname="postgres", autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{self.name}"')
            connection.execute(f"CREATE DATABASE \"{self.name}\" TEMPLATE {template} ENCODING 'UTF8'")


def _write_stock(product: Path, stock: Path) -> None:
    with product.open(encoding="utf-8", newline="") as read, stock.open("w", encoding="utf-8") as written:
        written.write("location,sku,units\n")
        for number, row in enumerate(csv.DictReader(read)):
            if number % SOLD_OUT_EVERY:
                written.write(f"warehouse,{row['sku']},{UNITS}\n")
