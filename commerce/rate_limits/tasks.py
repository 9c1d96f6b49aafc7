"""Scheduled jobs of rate limits; each may run twice."""

from huey import crontab

from commerce.rate_limits import services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="4", minute="10"), longest=AT_NIGHT)
def delete_expired_counters() -> None:
    """Delete expired counters every night."""
    services.delete_expired_counters()
