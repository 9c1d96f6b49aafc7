"""Rate limits beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from commerce.rate_limits import services


@db_periodic_task(crontab(hour="3", minute="30"))
def delete_expired_counters() -> None:
    """Delete expired counters, each night."""
    services.delete_expired_counters()
