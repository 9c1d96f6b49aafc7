"""Scheduled jobs of parcels; each may run twice."""

from huey import crontab

from commerce.shipments import polling
from core.queues import upkeep


@upkeep.periodic(crontab(minute="*/5"))
def poll_parcels() -> None:
    """Poll the tracking provider about the parcels that are due."""
    polling.poll_due_parcels()
