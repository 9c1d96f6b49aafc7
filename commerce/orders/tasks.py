"""Scheduled jobs of orders; each may run twice."""

from huey import crontab

from commerce.orders import levels, pairs, points, purging, sales, services
from core.queues import AT_NIGHT, books, upkeep


@books.periodic(crontab(minute="*"))
def expire_orders() -> None:
    """Expire the unpaid orders that are due, every minute."""
    services.expire_due_orders()


@books.periodic(crontab(minute="*"))
def complete_orders() -> None:
    """Complete the orders on their way that are due, every minute."""
    services.complete_due_orders()


@books.periodic(crontab(minute="*"))
def count_due_sales() -> None:
    """Count the sales of newly paid orders, every minute."""
    sales.count_due_sales()


@books.periodic(crontab(minute="*"))
def book_due_points() -> None:
    """Book the points of orders that have newly earned them, every minute."""
    points.book_due_points()


@upkeep.periodic(crontab(hour="4", minute="30"), longest=AT_NIGHT)
def update_levels() -> None:
    """Update member levels by yearly spend, every night."""
    levels.update_levels()


@upkeep.periodic(crontab(hour="7", minute="0"), longest=AT_NIGHT)
def update_pairs() -> None:
    """Compute which products are bought together, every night."""
    pairs.update_pairs()


@upkeep.periodic(crontab(hour="3", minute="30"), longest=AT_NIGHT)
def purge_orders() -> None:
    """Delete expired ID cards, codes and promotion shares, every night."""
    purging.delete_id_cards()
    purging.delete_expired_trades()
    purging.delete_unused_shares()
