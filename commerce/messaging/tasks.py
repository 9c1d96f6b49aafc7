"""Messages beside the requests; every task may run twice."""

from huey import crontab
from huey.contrib.djhuey import db_periodic_task, db_task

from commerce.messaging import services


@db_task()
def send_message(message_id: int) -> None:
    """Send one message soon after it was written."""
    services.deliver(message_id)


@db_periodic_task(crontab(minute="*"))
def sweep_messages() -> None:
    """Send what a lost task or a failing gateway has left."""
    for message_id in services.due_messages().values_list("pk", flat=True):
        services.deliver(message_id)


@db_periodic_task(crontab(hour="3", minute="30"))
def delete_expired_messages() -> None:
    """Delete expired messages, each night."""
    services.delete_expired_messages()
