"""What the clock does to payments."""

from huey import crontab

from commerce.payments import services
from core.queues import payments


@payments.by_clock(crontab(minute="*"))
def query_payments() -> None:
    """Ask about the open payments that are due."""
    services.query_open_payments()
