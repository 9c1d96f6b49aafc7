"""The background tasks of schedules and forms."""

from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone
from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from content.models import Creation

# Longer than a login of staff lasts.
RETENTION = timedelta(days=2)


@db_periodic_task(crontab(minute="*"))
def publish_scheduled() -> None:
    """Publish scheduled content and unpublish what has ended."""
    call_command("publish_scheduled")


@db_periodic_task(crontab(hour="3", minute="30"))
def delete_old_creations() -> None:
    """Delete what is known of forms that nobody sends again, each night."""
    Creation.objects.filter(created_at__lt=timezone.now() - RETENTION).delete()
