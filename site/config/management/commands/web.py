"""Starts the production web server with the configured settings."""

import gc
import logging
import multiprocessing
import resource
from contextlib import suppress
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections
from django.urls import reverse
from django.utils.translation import override
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings

from config.supervisor import PROCESSES
from core.database_limits import limit_waiting

log = logging.getLogger(__name__)

# Open connections of one process; more wait until one is closed. One costs 10 to 40 kB.
MAX_CONNECTIONS = 15_000
# Connections that wait for their process.
BACKLOG = 2_048
# Open files that a process needs besides its connections.
OTHER_FILES = 256
# A connection is closed if the next request's line and headers are not complete after this time.
HEAD_SECONDS = 5
# The limit of the line and headers of a request, and of what a connection buffers.
MAX_HEAD_BYTES = 64 * 1024


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
            backlog=BACKLOG,
            backpressure=_max_connections(),
            http1_settings=HTTP1Settings(
                header_read_timeout=HEAD_SECONDS * 1000, max_buffer_size=MAX_HEAD_BYTES
            ),
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


def _max_connections() -> int:
    """Raise the limit of open files of this process and its forks; return how many connections it allows."""
    wanted = MAX_CONNECTIONS + OTHER_FILES
    allowed, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    if maximum != resource.RLIM_INFINITY:
        wanted = min(wanted, maximum)
    # Some systems allow less than they report.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(allowed, wanted), maximum))
    number = max(1, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - OTHER_FILES)
    if number < MAX_CONNECTIONS:
        log.warning("the limit of open files allows only %d connections in each process", number)
    return min(number, MAX_CONNECTIONS)
