"""What happens beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task

from commerce.accounts.services import purge_expired


@db_periodic_task(crontab(hour="3", minute="30"))
def purge() -> None:
    """Delete what has expired."""
    purge_expired()
