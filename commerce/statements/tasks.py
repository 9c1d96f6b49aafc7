"""Scheduled jobs of providers' lists."""

from datetime import timedelta

from huey import crontab

from commerce.statements import purging, services
from core.queues import AT_NIGHT, payments, upkeep


@payments.periodic(crontab(hour="6", minute="20"), longest=AT_NIGHT)
def compare_with_providers() -> None:
    """Fetch yesterday's lists and compare them with the books, each morning before the audit."""
    services.begin_statements()
    services.fetch_statements()
    services.compare_statements()


@payments.periodic(crontab(minute="5,15,25,35,45,55"), longest=timedelta(minutes=9))
def fetch_statements() -> None:
    """Retry lists that are not fetched yet, and compare the newly fetched ones."""
    if services.fetch_statements():
        services.compare_statements()


@upkeep.periodic(crontab(hour="3", minute="20"), longest=AT_NIGHT)
def delete_old_lines() -> None:
    """Delete the lines of old lists, each night."""
    purging.delete_old_lines()
