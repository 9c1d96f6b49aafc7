"""The products' background tasks; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from catalog.goods import services


@db_periodic_task(crontab(hour="3", minute="10"))
def clear_expired_was_prices() -> None:
    """Clear expired was-prices, each night."""
    services.clear_expired_was_prices()
