"""The heartbeat of each queue: a task that passes through the queue like any other."""

import time

from huey import crontab

from core.queues import QUEUES, Queue

_LAST_BEAT = "last-beat"


def note_beat(queue: Queue) -> None:
    """Record that a queue processes tasks."""
    queue.huey.put(_LAST_BEAT, time.time())


def queue_age(queue: Queue) -> float | None:
    """Return the seconds since the last heartbeat; None if no consumer was ever started."""
    noted: float | None = queue.huey.get(_LAST_BEAT, peek=True)
    return None if noted is None else time.time() - noted


def _declare_beat(queue: Queue) -> None:
    def beat() -> None:
        note_beat(queue)

    # A start counts as a heartbeat, since the first periodic one may be a minute away.
    queue.huey.on_startup()(beat)
    queue.huey.periodic_task(crontab(minute="*"))(beat)


for each in QUEUES.values():
    _declare_beat(each)
