"""Carts beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from commerce.cart import purging


@db_periodic_task(crontab(hour="3", minute="20"))
def delete_abandoned_items() -> None:
    """Empty the carts of customers who have long been away, each night."""
    purging.delete_abandoned_items()
