"""Scheduled jobs of orders; each may run twice."""

from huey import crontab

from commerce.orders import levels, points, purging, sales, services
from core.queues import AT_NIGHT, books, upkeep


@books.periodic(crontab(minute="*"))
def expire_orders() -> None:
    """End the unpaid orders that are past their time."""
    services.expire_due_orders()


@books.periodic(crontab(minute="*"))
def complete_orders() -> None:
    """Complete the orders on their way whose time has passed."""
    services.complete_due_orders()


@books.periodic(crontab(minute="*"))
def count_due_sales() -> None:
    """Count the sales of the orders that were paid in the last minute."""
    sales.count_due_sales()


@books.periodic(crontab(minute="*"))
def book_due_points() -> None:
    """Book the points of the orders that have earned them in the last minute."""
    points.book_due_points()


@upkeep.periodic(crontab(hour="4", minute="30"), longest=AT_NIGHT)
def update_levels() -> None:
    """Give customers the member level of what they have spent, each night."""
    levels.update_levels()


@upkeep.periodic(crontab(hour="3", minute="30"), longest=AT_NIGHT)
def purge_orders() -> None:
    """Delete ID cards, codes and shares of promotions that have served their time, each night."""
    purging.delete_id_cards()
    purging.delete_expired_trades()
    purging.delete_unused_shares()
