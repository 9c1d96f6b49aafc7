"""The background tasks of imports and exports; each may run twice."""

from huey import crontab

from catalog.imports import fileworker
from core.queues import AT_NIGHT, upkeep


@upkeep.task(uses_files=True)
def process_file_run(run_id: int) -> None:
    """Check, apply or write a file soon after the request."""
    fileworker.work(run_id)


@upkeep.periodic(crontab(minute="*"), uses_files=True)
def process_file_runs() -> None:
    """Process the files of lost tasks and stopped workers."""
    fileworker.process_due_files()


@upkeep.periodic(crontab(hour="6", minute="0"), longest=AT_NIGHT, uses_files=True)
def delete_old_files() -> None:
    """Delete old files every night."""
    fileworker.delete_old_files()
