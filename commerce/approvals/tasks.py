"""The nightly deletion of old totals; it may run twice."""

from huey import crontab

from commerce.approvals import services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="6", minute="50"), longest=AT_NIGHT)
def delete_old_totals() -> None:
    """Delete old totals of staff, each night."""
    services.delete_old_totals()
