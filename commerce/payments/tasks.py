"""Scheduled jobs of payments."""

from huey import crontab

from commerce.payments import purging, services
from core.queues import AT_NIGHT, books, payments, upkeep


@payments.periodic(crontab(minute="*"))
def query_payments() -> None:
    """Poll the payments that are due."""
    services.query_open_payments()


@payments.periodic(crontab(minute="*"))
def send_refunds() -> None:
    """Send the refunds that are due, and poll those on their way."""
    services.send_refunds()


@books.periodic(crontab(minute="*"))
def return_held_money() -> None:
    """Refund the held parts of ended orders, and of customers who owe the shop money."""
    services.return_held_money()


@upkeep.periodic(crontab(hour="5", minute="10"), longest=AT_NIGHT, uses_files=True)
def delete_old_certificates() -> None:
    """Delete the pictures of old payments, each night."""
    purging.delete_old_certificates()


@upkeep.periodic(crontab(hour="5", minute="20"), longest=AT_NIGHT)
def delete_old_events() -> None:
    """Delete old notices of providers, each night."""
    purging.delete_old_events()
