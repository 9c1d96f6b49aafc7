"""Scheduled jobs of claims."""

from huey import crontab

from commerce.claims import purging
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="6", minute="40"), longest=AT_NIGHT, uses_files=True)
def delete_pictures_of_old_claims() -> None:
    """Delete old pictures of claims every night."""
    purging.delete_pictures_of_old_claims()
