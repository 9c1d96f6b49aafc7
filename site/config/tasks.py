"""The task consumer's heartbeat, which passes through the queue like any other task."""

import time

from huey import crontab
from huey.contrib.djhuey import HUEY, periodic_task

_LAST_BEAT = "last-beat"


@HUEY.on_startup()
def note_start() -> None:
    """Count a start as a beat, since the first one may be a minute away."""
    _note()


@periodic_task(crontab(minute="*"))
def beat() -> None:
    """Record that the queue works."""
    _note()


def queue_age() -> float | None:
    """Return the seconds since the last beat, None if no consumer was ever started."""
    noted: float | None = HUEY.get(_LAST_BEAT, peek=True)
    return None if noted is None else time.time() - noted


def _note() -> None:
    HUEY.put(_LAST_BEAT, time.time())
