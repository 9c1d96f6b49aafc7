"""The audit of each night; it may run twice."""

from huey import crontab

from config.audits import services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="6", minute="30"), longest=AT_NIGHT)
def audit_books() -> None:
    """Compare the books with each other, each night, after what is deleted."""
    services.delete_old_runs()
    services.run_audit()
