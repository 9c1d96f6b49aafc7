"""The background task of schedules."""

from django.core.management import call_command
from huey import crontab
from huey.contrib.djhuey import db_periodic_task


@db_periodic_task(crontab(minute="*"))
def publish_scheduled() -> None:
    """Publish scheduled content and unpublish what has ended."""
    call_command("publish_scheduled")
