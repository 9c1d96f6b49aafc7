"""What the clock does to orders."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from commerce.orders import services


@db_periodic_task(crontab(minute="*"))
def expire_orders() -> None:
    """End the unpaid orders that are past their time."""
    services.expire_due_orders()
