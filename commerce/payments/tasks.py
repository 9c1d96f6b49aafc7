"""What the clock does to payments."""

from huey import crontab

from commerce.payments import purging, services
from core.queues import AT_NIGHT, payments, upkeep


@payments.by_clock(crontab(minute="*"))
def query_payments() -> None:
    """Ask about the open payments that are due."""
    services.query_open_payments()


@upkeep.by_clock(crontab(hour="5", minute="10"), longest=AT_NIGHT)
def delete_old_certificates() -> None:
    """Delete the pictures of old payments, each night."""
    purging.delete_old_certificates()


@upkeep.by_clock(crontab(hour="5", minute="20"), longest=AT_NIGHT)
def delete_old_events() -> None:
    """Delete old notices of providers, each night."""
    purging.delete_old_events()
