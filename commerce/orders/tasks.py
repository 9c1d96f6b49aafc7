"""What happens to orders beside the requests; every task may run twice."""

from huey import crontab

from commerce.orders import sales, services
from core.queues import books


@books.by_clock(crontab(minute="*"))
def expire_orders() -> None:
    """End the unpaid orders that are past their time."""
    services.expire_due_orders()


@books.task()
def count_sales(order_id: int) -> None:
    """Count the sales of one order soon after it was paid."""
    sales.count_sales(order_id)


@books.by_clock(crontab(minute="*"))
def count_due_sales() -> None:
    """Count the sales of paid orders that a lost task has left."""
    sales.count_due_sales()
