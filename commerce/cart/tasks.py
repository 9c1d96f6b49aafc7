"""Scheduled jobs of carts; each may run twice."""

from huey import crontab

from commerce.cart import purging
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="3", minute="50"), longest=AT_NIGHT)
def delete_abandoned_items() -> None:
    """Empty abandoned carts every night."""
    purging.delete_abandoned_items()
