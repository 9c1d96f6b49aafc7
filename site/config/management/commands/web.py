"""Starts the production web server with the configured settings."""

import gc
import multiprocessing
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections
from django.urls import reverse
from django.utils.translation import override
from granian import Granian
from granian.constants import HTTPModes, Interfaces

from config.supervisor import PROCESSES
from core.database_limits import limit_waiting


class Command(BaseCommand):
    """Serves the shop over HTTP until SIGTERM."""

    help = "Serve the shop (HOST, PORT, WEB_WORKERS, WEB_THREADS)."
    # The application itself refuses a misconfigured start, in any server.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until stopped."""
        multiprocessing.set_start_method(PROCESSES.get_start_method(), force=True)
        # Import once for all workers, which are forks; they must not share a connection.
        import_module("config.front_end.server")
        _read_texts_and_addresses()
        connections.close_all()
        limit_waiting("request")
        # Garbage collection would copy the memory that the forks share.
        gc.freeze()
        Granian(
            "config.front_end.server:application",
            address=settings.HOST,
            port=settings.PORT,
            interface=Interfaces.RSGI,
            http=HTTPModes.http1,
            websockets=False,
            workers=settings.WEB_WORKERS,
            respawn_failed_workers=True,
            workers_kill_timeout=max(1, settings.STOP_SECONDS - 1),
            log_dictconfig=settings.LOGGING,
        ).serve()


def _read_texts_and_addresses() -> None:
    """Load the text catalogues and URL patterns of each language before the first request."""
    for language, _name in settings.LANGUAGES:
        with override(language):
            reverse("wagtailadmin_home")
