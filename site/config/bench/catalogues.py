"""The databases to measure: one for each engine and size, loaded by the shop's own import and reused."""

import csv
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "build" / "bench"
POSTGRESQL, SQLITE = "PostgreSQL", "SQLite"
# How many products the demonstration has; every catalogue includes them.
DEMONSTRATION = 490
# Every tenth of the other products is sold out.
SOLD_OUT_EVERY = 10
UNITS = 40


class BenchError(Exception):
    """Raised for what cannot be measured; the text says why."""


@dataclass(frozen=True)
class Loaded:
    """How a catalogue was loaded: the seconds and the peak memory, in MB, of its product import."""

    loaded_at: str
    goods: int
    seconds: float
    peak_mb: float


def postgresql() -> str | None:
    """Return the URL of a server on which databases can be created; None, with the reason on stderr."""
    found = subprocess.run(
        [sys.executable, "scripts/find_postgres.py"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    return found.stdout.strip() or None


@dataclass(frozen=True)
class Catalogue:
    """A shop with `size` products in a database of its own; `server` is the URL of PostgreSQL."""

    size: int
    server: str | None = None

    @property
    def engine(self) -> str:
        """The name of its database engine."""
        return POSTGRESQL if self.server else SQLITE

    @property
    def folder(self) -> Path:
        """The data folder of everything it writes at run time."""
        return FOLDER / f"{self.engine.lower()}-{self.size}"

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a shop with this catalogue, a production start."""
        inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TZ") if name in os.environ}
        database = {"DATABASE_URL": self._url} if self.server else {}
        return inherited | {
            "DJANGO_SETTINGS_MODULE": "config.bench.settings",
            "DATA_DIR": str(self.folder),
            "DEBUG": "false",
            "SECRET_KEY": "for-measuring-only-" + "0" * 50,
            "PASSWORD_PEPPER": "for-measuring-only",
            "PAY_PASSWORD_KEYS": "1=for-measuring-only-" + "1" * 50,
            "ALLOWED_HOSTS": "127.0.0.1",
            "ALLOWED_DOUBLES": "demo-data,sms-outbox,email-outbox",
            **database,
            **more,
        }

    def prepare(self, again: bool) -> Loaded:
        """Load the catalogue, unless it is loaded already; raises BenchError."""
        stamp = self.folder / "loaded.json"
        if stamp.exists() and not again:
            self._manage("migrate", "--verbosity", "0")
            return Loaded(**json.loads(stamp.read_text()))
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        if self.server:
            self._make_database()
        self._manage("migrate", "--verbosity", "0")
        self._manage("load_demo")
        loaded = Loaded(datetime.now(UTC).isoformat(timespec="seconds"), self.size, *self._fill())
        stamp.write_text(json.dumps(asdict(loaded)))
        return loaded

    def _fill(self) -> tuple[float, float]:
        """Import the products that the demonstration lacks, and their stock."""
        if self.size <= DEMONSTRATION:
            return 0.0, 0.0
        product, stock = FOLDER / f"goods-{self.size}.csv", FOLDER / f"stock-{self.size}.csv"
        self._manage("write_synthetic_goods", str(self.size - DEMONSTRATION), str(product))
        _write_stock(product, stock)
        measured = self._manage("import_goods", str(product))
        self._manage("import_goods", str(stock))
        if self.server:
            with psycopg.connect(self._url, autocommit=True) as connection:
                # The server's autovacuum would do it after a while.
                connection.execute("VACUUM ANALYZE")
        return measured

    def _manage(self, *arguments: str) -> tuple[float, float]:
        """Run a command; returns seconds and the peak memory in MB. Raises BenchError where it fails."""
        started = time.monotonic()
        log = self.folder / "commands.log"
        with log.open("ab") as file:
            process = subprocess.Popen(
                [sys.executable, "manage.py", *arguments],
                cwd=ROOT,
                env=self.environment(),
                stdout=file,
                stderr=subprocess.STDOUT,
            )
            _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise BenchError(f"manage.py {' '.join(arguments)} failed: see {log.relative_to(ROOT)}")
        # The kernel counts in KiB; macOS in bytes.
        unit = 1 if sys.platform == "darwin" else 1024
        return time.monotonic() - started, usage.ru_maxrss * unit / 1e6

    @property
    def _name(self) -> str:
        return f"eastbowl_bench_{self.size}"

    @property
    def _url(self) -> str:
        assert self.server
        parts = urlsplit(self.server)
        query = f"?{parts.query}" if parts.query else ""
        return f"{parts.scheme}://{parts.netloc}/{self._name}{query}"

    def _make_database(self) -> None:
        assert self.server
        with psycopg.connect(self.server, dbname="postgres", autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{self._name}"')
            connection.execute(f"CREATE DATABASE \"{self._name}\" TEMPLATE template0 ENCODING 'UTF8'")


def _write_stock(product: Path, stock: Path) -> None:
    with product.open(encoding="utf-8", newline="") as read, stock.open("w", encoding="utf-8") as written:
        written.write("location,sku,units\n")
        for number, row in enumerate(csv.DictReader(read)):
            if number % SOLD_OUT_EVERY:
                written.write(f"warehouse,{row['sku']},{UNITS}\n")
