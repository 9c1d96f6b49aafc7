"""Scheduled jobs of back-in-stock alerts; each may run twice."""

from huey import crontab

from commerce.stock_alerts import services
from core.queues import AT_NIGHT, messages, upkeep


@messages.periodic(crontab(minute="*"))
def send_due_alerts() -> None:
    """Send the alerts of products that are available again."""
    services.send_due_alerts()


@upkeep.periodic(crontab(hour="4", minute="50"), longest=AT_NIGHT)
def delete_old_alerts() -> None:
    """Delete old alerts, each night."""
    services.delete_old_alerts()
