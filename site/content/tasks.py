"""The background task of schedules."""

from huey import crontab

from content.publishing import publish_due, unpublish_due
from core.queues import upkeep


@upkeep.by_clock(crontab(minute="*"))
def publish_scheduled() -> None:
    """Publish scheduled content and unpublish what has ended."""
    unpublish_due()
    publish_due()
