"""The queues of background tasks, each with its own workers (docs/guarantees/operation.md#tasks).

A blocked task does not block other queues. A task's decorator selects its queue.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections
from django.utils.module_loading import import_string
from huey import Huey

from core.clock import shop_zone
from core.data_mark import mismatch
from core.leases import lease

# The time limit of a periodic job. It is below a minute so that the next run finds the lease expired, even
# if the run before was killed.
EACH_MINUTE, AT_NIGHT = timedelta(seconds=50), timedelta(hours=1)


class Queue:
    """A queue, and the decorators that declare its tasks.

    `workers`: the number of its tasks that one process runs concurrently. A task with `uses_files` does
    nothing while the data folder is not that of the database; the next run of a periodic job does its work.
    """

    def __init__(self, name: str, *, workers: int) -> None:
        self.name, self.workers = name, workers
        options: dict[str, Any] = settings.QUEUE_STORE.copy()
        kind: type[Huey] = import_string(options.pop("huey_class"))
        self.huey = kind(f"shop_{name}", results=False, **options)

    def task(self, *, uses_files: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
        """Declare a task; calling it adds it to this queue. `options`: huey's options."""
        return lambda work: self._declared(self.huey.task(**options), work, uses_files)

    def periodic(
        self,
        is_time: Callable[[datetime], bool],
        *,
        longest: timedelta = EACH_MINUTE,
        uses_files: bool = False,
    ) -> Callable[[Callable[[], Any]], Any]:
        """Declare a task that the scheduler adds to this queue, and that never runs twice concurrently.

        `is_time`: returns True if the task is due in a minute of the shop's time zone. `longest`: the time
        limit of a run. During this time no other run starts, and a run that waits longer in the queue is
        dropped, because the scheduler has queued another.
        """

        def declare(work: Callable[[], Any]) -> Any:
            @wraps(work)
            def run_alone() -> None:
                with lease(f"{work.__module__}.{work.__name__}", longest) as is_ours:
                    if is_ours:
                        work()

            def is_time_here(utc: datetime) -> bool:
                return is_time(utc.replace(tzinfo=UTC).astimezone(shop_zone()))

            periodic = self.huey.periodic_task(is_time_here, expires=longest)
            return self._declared(periodic, run_alone, uses_files)

        return declare

    def _declared(self, decorator: Callable[..., Any], work: Callable[..., Any], uses_files: bool) -> Any:
        def run_if_possible(*args: Any, **kwargs: Any) -> Any:
            return None if uses_files and mismatch() else work(*args, **kwargs)

        @wraps(work)
        def run(*args: Any, **kwargs: Any) -> Any:
            if self.huey.immediate:
                return run_if_possible(*args, **kwargs)
            close_old_connections()
            try:
                return run_if_possible(*args, **kwargs)
            finally:
                close_old_connections()

        return decorator(run)


# Stock and money depend on this queue; its tasks do not call external services.
books = Queue("books", workers=2)
# Calls of payment providers.
payments = Queue("payments", workers=2)
# Calls of mail servers and SMS gateways.
messages = Queue("messages", workers=2)
# Files, pictures, schedules, purges, exchange rate. Files may occupy all workers except one.
upkeep = Queue("upkeep", workers=3)

QUEUES = {queue.name: queue for queue in (books, payments, messages, upkeep)}


def close_idle_connections(*, but: Huey | None = None) -> None:
    """Close this thread's connection to the database, and this process's to the queues, except one queue.

    The next use opens them again. A thread calls it when it has nothing to do, because PostgreSQL allows few
    connections.
    """
    connections.close_all()
    for queue in QUEUES.values():
        if queue.huey is not but:
            # Huey's storages have one connection for all threads, and two of them may close it together.
            with suppress(AttributeError):
                queue.huey.storage.close()
