"""Scheduled jobs of the exchange rate; each may run twice."""

from huey import crontab

from catalog.rates.services import fetch_rate, is_due
from core.queues import upkeep


@upkeep.periodic(crontab(minute="*/20"))
def fetch_exchange_rate() -> None:
    """Fetch the exchange rate if it is due: every few hours, after 20 minutes if the last fetch failed."""
    if is_due():
        fetch_rate()
