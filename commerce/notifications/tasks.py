"""Scheduled jobs of messages about orders; each may run twice."""

from huey import crontab

from commerce.notifications import services
from core.queues import upkeep


@upkeep.periodic(crontab(minute="*"))
def notify_due() -> None:
    """Write the due messages about orders; another queue sends them, since a mail server may hang."""
    services.notify_due()
