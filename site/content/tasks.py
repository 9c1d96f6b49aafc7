"""The editors' background tasks; every task may run twice."""

from huey import crontab

from content import purging
from content.publishing import publish_due, unpublish_due
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(minute="*"))
def publish_scheduled() -> None:
    """Publish scheduled drafts, and unpublish rows whose time has ended."""
    unpublish_due()
    publish_due()


@upkeep.periodic(crontab(hour="5", minute="30"), longest=AT_NIGHT)
def purge_content() -> None:
    """Delete expired sessions of the back office, old revisions and records of sent forms, each night."""
    purging.delete_expired_sessions()
    purging.delete_old_revisions()
    purging.delete_old_creations()
