"""The exchange rate beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from catalog.rates.services import fetch_rate, is_due


@db_periodic_task(crontab(minute="*/20"))
def fetch_exchange_rate() -> None:
    """Fetch the exchange rate a few times a day, sooner after a failure and at the very first."""
    if is_due():
        fetch_rate()
