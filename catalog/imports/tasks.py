"""The background tasks of imports and exports; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task, db_task

from catalog.imports import fileworker


@db_task()
def work_on(run_id: int) -> None:
    """Check, apply or write a file soon after its request."""
    fileworker.work(run_id)


@db_periodic_task(crontab(minute="*"))
def sweep_file_runs() -> None:
    """Process the runs that a lost task or a stopped worker has left."""
    for run_id in fileworker.due().values_list("pk", flat=True):
        fileworker.work(run_id)


@db_periodic_task(crontab(hour="3", minute="50"))
def delete_old_files() -> None:
    """Delete old files, each night."""
    fileworker.delete_old_files()
