"""What happens to parcels beside the requests; every task may run twice."""

from huey import crontab

from commerce.shipments import asking
from core.queues import upkeep


@upkeep.periodic(crontab(minute="*/5"))
def ask_about_parcels() -> None:
    """Ask the provider of tracking about the parcels whose turn it is."""
    asking.ask_about_due_parcels()
