"""The editors' background tasks; every task may run twice."""

from django.core.management import call_command
from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from content import purging


@db_periodic_task(crontab(minute="*"))
def publish_scheduled() -> None:
    """Publish scheduled content and unpublish what has ended."""
    call_command("publish_scheduled")


@db_periodic_task(crontab(hour="3", minute="50"))
def purge_content() -> None:
    """Delete expired logins of the back office and old revisions, each night."""
    purging.delete_expired_sessions()
    purging.delete_old_revisions()
