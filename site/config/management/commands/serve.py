"""Starts everything that serves the shop: the web server and the task consumer."""

import json
import signal
import socket
import time
import urllib.request
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.supervisor import Child, supervise

WEB = Child("web server", ("web",), signal.SIGTERM)
# huey lets running tasks finish on SIGINT and interrupts them on SIGTERM.
CONSUMER = Child("task consumer", ("run_huey",), signal.SIGINT)


class Command(BaseCommand):
    """Runs the web server and the task consumer until Ctrl-C or SIGTERM."""

    help = "Run the web server and the task consumer; with --demo prepare the demonstration first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="Migrate and load the demonstration first.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare if asked to, then serve."""
        self._claim_port()
        if options["demo"]:
            self._timed("Database migrations", "migrate", verbosity=0)
            self._timed("Demonstration data", "load_demo")
        code = supervise([WEB, CONSUMER], grace=settings.STOP_SECONDS, on_start=self._welcome)
        raise SystemExit(code)

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

    def _timed(self, title: str, command: str, **options: Any) -> None:
        self.stdout.write(f"→ {title} …")
        started = time.monotonic()
        call_command(command, **options)
        self.stdout.write(f"✓ {title}: {time.monotonic() - started:.1f} s")

    def _welcome(self) -> None:
        address = f"http://localhost:{settings.PORT}"
        while not _answers(f"http://{settings.HOST}:{settings.PORT}/livez"):
            time.sleep(0.1)
        self.stdout.write(f"\nThe shop is open: {address}/home  ·  中文: {address}/zh-hans/home")
        if not settings.PRODUCTION:
            self.stdout.write(_demonstration(address))
        self.stdout.write("Stop it with Ctrl-C.\n\n")
        self.stdout.flush()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as answer:  # noqa: S310  our own address
            return bool(answer.status == 200)
    except OSError:
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
