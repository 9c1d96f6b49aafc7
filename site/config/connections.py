"""How many connections to PostgreSQL the processes of one host open (docs/production.md#connections)."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Info, Tags, Warning, register
from django.db import DatabaseError, connection

from config.front_end.worker_pools import HASHING_THREADS
from core.queues import QUEUES


@register(Tags.database, deploy=True)
def database_has_enough_connections(**_: Any) -> list[CheckMessage]:
    """State how many connections to PostgreSQL this host needs, and warn if PostgreSQL allows fewer."""
    if connection.vendor == "sqlite":
        return []
    needed = connections_needed()
    text = f"The processes of this host open up to {needed} connections to PostgreSQL."
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_setting('max_connections')::int"
                " - current_setting('superuser_reserved_connections')::int"
            )
            [allowed] = cursor.fetchone()
    except DatabaseError:
        return []
    if allowed < needed:
        hint = "Raise max_connections, or lower WEB_WORKERS or WEB_THREADS."
        return [Warning(f"{text} It allows {allowed}.", hint=hint, id="config.W004")]
    return [Info(text, id="config.I001")]


def connections_needed() -> int:
    """Return how many connections to PostgreSQL the processes of one host open at most."""
    web = 2 * settings.WEB_THREADS + HASHING_THREADS + 1
    workers = sum(queue.workers for queue in QUEUES.values())
    if settings.REDIS_URL:
        return int(settings.WEB_WORKERS * web + workers)
    # Each process has a connection for each queue, and each worker another one that waits for tasks.
    queues = len(QUEUES)
    return int(settings.WEB_WORKERS * (web + queues) + 2 * workers + queues * queues)
