"""Starts the processes of the shop: the web server and the consumers of all queues."""

import gc
import json
import signal
import socket
import time
import urllib.request
from argparse import ArgumentParser
from contextlib import suppress
from http.client import HTTPException
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from config.apps import make_queue_tables
from config.supervisor import Child, Supervisor
from core.database_limits import limit_waiting
from core.queues import QUEUES

DEMONSTRATION = Child("demonstration", ("load_demo", "--migrate", "--skip-checks"), signal.SIGTERM)
# It fails in a row if it cannot start at all; then the operator's own supervisor may start everything again.
WEB = Child("web server", ("web",), signal.SIGTERM, max_failures=5)
# huey lets running tasks finish on SIGINT and interrupts them on SIGTERM.
CONSUMERS = [Child(f"{name} consumer", ("consume", name, "--skip-checks"), signal.SIGINT) for name in QUEUES]


class Command(BaseCommand):
    """Runs the web server and the consumers of all queues until Ctrl-C or SIGTERM, also after one failed."""

    help = "Run the web server and the consumers of all queues; with --demo prepare the demonstration first."
    # The application itself refuses a misconfigured start.
    requires_system_checks: list[str] = []
    _is_open = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="Migrate and load the demonstration first.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare the demonstration if requested, then serve."""
        self._claim_port()
        if settings.IS_SQLITE:
            # The queues' file may be missing, since backups do not contain it.
            make_queue_tables()
        # Import once for all children, which are forks; they must not share a connection.
        import_module("config.front_end.server")
        connections.close_all()
        # Only the web server answers requests; it sets the limits of its process.
        limit_waiting("task")
        # Garbage collection would copy the memory that the forks share.
        gc.freeze()
        supervisor = Supervisor(grace=settings.STOP_SECONDS)
        if options["demo"]:
            self._bring_up_to_date(supervisor)
        raise SystemExit(supervisor.serve([WEB, *CONSUMERS], on_look=self._welcome_once))

    def _claim_port(self) -> None:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((settings.HOST, settings.PORT))
            except OSError as error:
                raise CommandError(
                    f"Port {settings.PORT} on {settings.HOST} cannot be had ({error.strerror}). "
                    f"Choose another one: PORT={settings.PORT + 1} make run"
                ) from error

    def _bring_up_to_date(self, supervisor: Supervisor) -> None:
        self.stdout.write("→ Changes to database and demonstration …")
        started = time.monotonic()
        if code := supervisor.finish(DEMONSTRATION):
            raise SystemExit(code)
        self.stdout.write(f"✓ Changes to database and demonstration: {time.monotonic() - started:.1f} s")

    def _welcome_once(self) -> None:
        if self._is_open or not _answers(f"http://{settings.HOST}:{settings.PORT}/livez"):
            return
        self._is_open = True
        address = f"http://localhost:{settings.PORT}"
        lines = [f"\nThe shop is open: {address}/home  ·  中文: {address}/zh-hans/home"]
        if not settings.PRODUCTION:
            lines.append(_demonstration(address))
        lines.append("Stop it with Ctrl-C.\n\n")
        # The terminal may be closed by now.
        with suppress(OSError):
            self.stdout.write("\n".join(lines))
            self.stdout.flush()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as answer:  # noqa: S310  our own address
            return bool(answer.status == 200)
    except (OSError, HTTPException):
        return False


def _demonstration(address: str) -> str:
    file: Path = settings.DATA_DIR / "backoffice.json"
    passwords = json.loads(file.read_text("utf-8")) if file.exists() else {}
    staff = "  ·  ".join(f"{name}: {password}" for name, password in passwords.items())
    return (
        "Customers: demo@example.com and demo2@example.com, login and pay password 888888\n"
        f"Back office: {address}/admin  ·  {staff}  (kept in {file})\n"
        f"API: {address}/api/docs"
    )
