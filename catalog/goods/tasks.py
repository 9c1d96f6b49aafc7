"""What happens to goods beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from catalog.goods import services
from catalog.goods.rates.services import fetch_rate, is_due


@db_periodic_task(crontab(hour="3", minute="10"))
def clear_old_was_prices() -> None:
    """Take back the was-prices that have become too old, each night."""
    services.clear_old_was_prices()


@db_periodic_task(crontab(minute="*/20"))
def fetch_exchange_rate() -> None:
    """Fetch the exchange rate a few times a day; after a failure, and at the very first, sooner."""
    if is_due():
        fetch_rate()
