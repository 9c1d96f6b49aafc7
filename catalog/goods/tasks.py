"""The products' background tasks; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from catalog.goods import purging, services


@db_periodic_task(crontab(hour="3", minute="10"))
def clear_expired_was_prices() -> None:
    """Clear expired was-prices, each night."""
    services.clear_expired_was_prices()


@db_periodic_task(crontab(hour="3", minute="20"))
def purge_goods() -> None:
    """Delete old days of sales and old price changes, each night."""
    purging.delete_old_sales()
    purging.delete_old_price_changes()
