"""The task consumer's sign of life, which passes through the queue like any other task."""

import time

from huey import crontab
from huey.contrib.djhuey import HUEY, periodic_task

_LAST_BEAT = "last-beat"


@HUEY.on_startup()
def note_start() -> None:
    """Count a start as a beat: the first one would be up to a minute away."""
    _note()


@periodic_task(crontab(minute="*"))
def beat() -> None:
    """Tell that what was queued a minute ago has had its turn."""
    _note()


def queue_age() -> float | None:
    """Return the seconds since a task last had its turn, None if no consumer was ever started."""
    noted: float | None = HUEY.get(_LAST_BEAT, peek=True)
    return None if noted is None else time.time() - noted


def _note() -> None:
    HUEY.put(_LAST_BEAT, time.time())
