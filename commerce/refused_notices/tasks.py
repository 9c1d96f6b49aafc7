"""The nightly deletion of old counts and notices; it may run twice."""

from huey import crontab

from commerce.refused_notices import services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="4", minute="40"), longest=AT_NIGHT)
def delete_old_notices() -> None:
    """Delete old counts of refused notices and old unmatched notices, each night."""
    services.delete_old_notices()
