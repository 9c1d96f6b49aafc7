"""What the clock does to payments."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from commerce.payments import purging, services


@db_periodic_task(crontab(minute="*"))
def query_payments() -> None:
    """Ask about the open payments that are due."""
    services.query_open_payments()


@db_periodic_task(crontab(hour="3", minute="40"))
def delete_old_certificates() -> None:
    """Delete the pictures of old payments, each night."""
    purging.delete_old_certificates()


@db_periodic_task(crontab(hour="3", minute="40"))
def delete_old_events() -> None:
    """Delete old notices of providers, each night."""
    purging.delete_old_events()
