"""What happens to files of goods and stock beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task, db_task

from catalog.stock import filework


@db_task()
def work_on(run_id: int) -> None:
    """Check, apply or write a file soon after it was asked for."""
    filework.work(run_id)


@db_periodic_task(crontab(minute="*"))
def sweep_file_runs() -> None:
    """Do what a lost task or a dead worker has left."""
    for run_id in filework.due().values_list("pk", flat=True):
        filework.work(run_id)


@db_periodic_task(crontab(hour="3", minute="50"))
def forget_files() -> None:
    """Delete old files, each night."""
    filework.forget_files()
