"""The health checks: whether the process runs and whether it can serve (docs/production.md#health)."""

import shutil
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.tasks import queue_age
from core.queues import QUEUES, Queue

# Either is enough: a tenth of a small disk, or space for hours of orders on a large one.
FREE_SHARE = 0.1
FREE_BYTES = 2**30
QUEUE_AGE_SECONDS = 300


@never_cache
@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    """Answer that this process runs, without checking anything else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Answer what keeps the shop from serving, with 503 if anything does."""
    found = {name: check() for name, check in CHECKS.items()}
    is_ready = not any(found.values())
    body = {
        "status": "ok" if is_ready else "unavailable",
        "checks": {name: trouble or "ok" for name, trouble in found.items()},
    }
    return JsonResponse(body, status=200 if is_ready else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "no answer"
    return ""


def unapplied_migrations() -> int:
    """Return how many migrations wait to be applied to the database."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _migrations() -> str:
    try:
        waiting = unapplied_migrations()
    except DatabaseError:
        return "unknown"
    return f"{waiting} not applied" if waiting else ""


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
        # Each kind of store has errors of its own.
        return "no answer"
    if age is None:
        return "no consumer was ever started"
    return f"nothing done for {age:.0f} s" if age > QUEUE_AGE_SECONDS else ""


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "migrations": _migrations,
    "disk": _disk,
    "queues": _queues,
}
