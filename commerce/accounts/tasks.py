"""What happens beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task, db_task

from commerce.accounts import messages
from commerce.accounts.purge import purge_expired


@db_task()
def send_message(message_id: int) -> None:
    """Send one message soon after it was written."""
    messages.deliver(message_id)


@db_periodic_task(crontab(minute="*"))
def sweep_messages() -> None:
    """Send what a lost task or a failing gateway has left."""
    for message_id in messages.due_messages().values_list("pk", flat=True):
        messages.deliver(message_id)


@db_periodic_task(crontab(hour="3", minute="30"))
def purge() -> None:
    """Delete what has expired."""
    purge_expired()
