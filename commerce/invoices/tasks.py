"""Scheduled jobs of invoices."""

from huey import crontab

from commerce.invoices import services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(minute="*"))
def make_due_invoices() -> None:
    """Make the invoices of the orders that were paid in the last minute."""
    services.make_due_invoices()


@upkeep.periodic(crontab(hour="5", minute="50"), longest=AT_NIGHT)
def delete_files_without_row() -> None:
    """Delete the files of invoices that lost their row, each night."""
    services.delete_files_without_row()
