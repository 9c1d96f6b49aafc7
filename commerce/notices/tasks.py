"""Notices beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from commerce.notices import services


@db_periodic_task(crontab(minute="*"))
def send_due_notices() -> None:
    """Write to those who wait for goods that are back."""
    services.send_due_notices()


@db_periodic_task(crontab(hour="3", minute="40"))
def forget_old_notices() -> None:
    """Delete old notices, each night."""
    services.forget_old_notices()
