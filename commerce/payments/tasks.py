"""What the clock does to payments."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from commerce.payments import services


@db_periodic_task(crontab(minute="*"))
def query_payments() -> None:
    """Ask about the open payments that are due."""
    services.query_open_payments()
