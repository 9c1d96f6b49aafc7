"""The health checks: whether the process runs, and whether it can serve (docs/production.md#health)."""

import logging
import shutil
import threading
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.tasks import queue_age
from core.data_mark import mismatch
from core.queues import QUEUES, Queue

log = logging.getLogger(__name__)

# One of them is enough: a tenth of a small disk, or space for hours of orders on a large one.
FREE_SHARE = 0.1
FREE_BYTES = 2**30
QUEUE_AGE_SECONDS = 300
# Many requests within this time share one check.
FRESH_SECONDS = 1.0
# A check that takes longer counts as failed.
MAX_SECONDS = 2.0
NO_ANSWER = "no answer"


@never_cache
@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    """Return that this process runs, without checking anything else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Return the state of each check, with 503 if any failed; takes at most two seconds."""
    found = _checkup().found()
    _log_change(found)
    is_ready = not any(found.values())
    body = {
        "status": "ok" if is_ready else "unavailable",
        "checks": {name: trouble or "ok" for name, trouble in found.items()},
    }
    return JsonResponse(body, status=200 if is_ready else 503)


class Checkup:
    """One run of all checks in its own thread, so that no request waits for a check that hangs."""

    def __init__(self) -> None:
        self._found = dict.fromkeys(CHECKS, NO_ANSWER)
        self._started_at = time.monotonic()
        self._done = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def is_usable(self) -> bool:
        """Whether it is recent or still running; a second run would block in the same check."""
        return not self._done.is_set() or time.monotonic() - self._started_at < FRESH_SECONDS

    def found(self) -> dict[str, str]:
        """Return the problem of each check, empty if none; waits at most MAX_SECONDS from the start."""
        self._done.wait(max(0.0, self._started_at + MAX_SECONDS - time.monotonic()))
        return dict(self._found)

    def _run(self) -> None:
        try:
            for name, check in CHECKS.items():
                try:
                    self._found[name] = check()
                except Exception:
                    # Its result stays NO_ANSWER.
                    if name not in _failing:
                        log.exception("the check of the %s failed", name)
        finally:
            connections.close_all()
            self._done.set()


_lock = threading.Lock()
_latest: Checkup | None = None
# The names of the checks that failed when this process last logged a change.
_failing: frozenset[str] = frozenset()


def _checkup() -> Checkup:
    global _latest
    with _lock:
        if _latest is None or not _latest.is_usable:
            _latest = Checkup()
        return _latest


def _log_change(found: dict[str, str]) -> None:
    """Log once that other checks fail than before, or that none fails any more."""
    global _failing
    failing = frozenset(name for name, trouble in found.items() if trouble)
    with _lock:
        if failing == _failing:
            return
        _failing = failing
    if failing:
        log.error("not ready: %s", "; ".join(f"{name}: {found[name]}" for name in sorted(failing)))
    else:
        log.info("ready again")


def _database() -> str:
    # SQLite shows only by a write that it cannot write.
    query = "SELECT 'off'" if connection.vendor == "sqlite" else "SHOW transaction_read_only"
    try:
        with connection.cursor() as cursor:
            cursor.execute(query)
            return "read-only" if cursor.fetchone() == ("on",) else ""
    except DatabaseError:
        return NO_ANSWER


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """Return app and name of each migration of this release; reading them takes a fifth of a second."""
    return frozenset(MigrationLoader(connection).graph.nodes)


def unapplied_migrations() -> int:
    """Return the number of migrations that are not applied to the database."""
    return len(_known_migrations() - MigrationRecorder(connection).applied_migrations().keys())


def _migrations() -> str:
    try:
        waiting = unapplied_migrations()
    except DatabaseError:
        return "unknown"
    return f"{waiting} not applied" if waiting else ""


def _files() -> str:
    try:
        return mismatch()
    except DatabaseError:
        return "unknown"


def _disk() -> str:
    usage = shutil.disk_usage(settings.DATA_DIR)
    if usage.free >= FREE_BYTES or usage.free >= FREE_SHARE * usage.total:
        return ""
    return f"{usage.free >> 20} MiB free"


def _queues() -> str:
    stuck = {name: trouble for name, queue in QUEUES.items() if (trouble := _trouble(queue))}
    return "; ".join(f"{name}: {trouble}" for name, trouble in stuck.items())


def _trouble(queue: Queue) -> str:
    try:
        age = queue_age(queue)
    except Exception:
        # Each kind of store raises its own errors.
        return NO_ANSWER
    if age is None:
        return "no consumer was ever started"
    return f"nothing done for {age:.0f} s" if age > QUEUE_AGE_SECONDS else ""


CHECKS: dict[str, Callable[[], str]] = {
    # Checks that may hang come last.
    "disk": _disk,
    "database": _database,
    "migrations": _migrations,
    "files": _files,
    "queues": _queues,
}
