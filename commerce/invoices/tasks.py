"""Scheduled jobs of invoices."""

from huey import crontab

from commerce.invoices import services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(minute="*"), uses_files=True)
def make_due_invoices() -> None:
    """Make the due invoices of paid orders, every minute."""
    services.make_due_invoices()


@upkeep.periodic(crontab(hour="5", minute="50"), longest=AT_NIGHT, uses_files=True)
def move_files_without_row() -> None:
    """Move invoice files without a row every night."""
    services.move_files_without_row()
