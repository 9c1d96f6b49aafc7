"""Periodic jobs for products; each may run twice."""

from huey import crontab

from catalog.goods import purging, services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="3", minute="0"), longest=AT_NIGHT)
def clear_expired_was_prices() -> None:
    """Clear expired was-prices every night."""
    services.clear_expired_was_prices()


@upkeep.periodic(crontab(hour="3", minute="10"), longest=AT_NIGHT)
def purge_goods() -> None:
    """Delete old days of sales and old price changes every night."""
    purging.delete_old_sales()
    purging.delete_old_price_changes()
