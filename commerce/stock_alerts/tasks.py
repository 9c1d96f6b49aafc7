"""Notices beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from commerce.stock_alerts import services


@db_periodic_task(crontab(minute="*"))
def send_due_alerts() -> None:
    """Write to those who wait for products that are back."""
    services.send_due_alerts()


@db_periodic_task(crontab(hour="3", minute="40"))
def delete_old_alerts() -> None:
    """Delete old alerts, each night."""
    services.delete_old_alerts()
