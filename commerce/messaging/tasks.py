"""Scheduled jobs of messages; each may run twice."""

from huey import crontab

from commerce.messaging import services
from core.queues import AT_NIGHT, messages, upkeep


@messages.task()
def send_message(message_id: int) -> None:
    """Send one message soon after it was stored."""
    services.deliver(message_id)


@messages.periodic(crontab(minute="*"))
def send_due_messages() -> None:
    """Send due messages: those without a task, those whose task was lost, and retries."""
    services.deliver_due_messages()


@upkeep.periodic(crontab(minute="*"))
def wipe_expired_messages() -> None:
    """Wipe messages that were not sent in time; in another queue, since a gateway may hang."""
    services.wipe_expired_messages()


@upkeep.periodic(crontab(hour="4", minute="0"), longest=AT_NIGHT)
def delete_expired_messages() -> None:
    """Delete expired messages every night."""
    services.delete_expired_messages()
