"""Scheduled jobs of accounts; each may run twice."""

from huey import crontab

from commerce.accounts.services import purge_expired
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="4", minute="20"), longest=AT_NIGHT)
def purge() -> None:
    """Delete expired tokens, codes, captcha proofs and hashes of deleted accounts."""
    purge_expired()
