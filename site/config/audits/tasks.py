"""The nightly audit; it may run twice."""

from huey import crontab

from config.audits import services
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(hour="6", minute="30"), longest=AT_NIGHT)
def audit_books() -> None:
    """Audit the books each night, after the nightly deletions."""
    services.delete_old_runs()
    services.run_audit()
