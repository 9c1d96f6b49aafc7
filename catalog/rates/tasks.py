"""Scheduled jobs of the exchange rate; each may run twice."""

from huey import crontab

from catalog.rates.services import fetch_rate, is_due
from core.queues import upkeep


@upkeep.periodic(crontab(minute="*/20"))
def fetch_exchange_rate() -> None:
    """Fetch the exchange rate a few times a day, sooner after a failure and at the very first."""
    if is_due():
        fetch_rate()
