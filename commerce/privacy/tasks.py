"""Periodic jobs for deleted accounts; each may run twice."""

from huey import crontab

from commerce.privacy import services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(minute="*"), uses_files=True)
def erase_due() -> None:
    """Erase the deleted customers that no task has erased."""
    services.erase_due()


@upkeep.periodic(crontab(hour="3", minute="40"), longest=AT_NIGHT, uses_files=True)
def wipe_records() -> None:
    """Remove deleted customers from orders past retention, and delete old records of copies; nightly."""
    services.wipe_due()
    services.delete_old_copies()
