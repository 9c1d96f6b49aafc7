"""Texts to customers: rows first, sent by a task, or by the sweep if a task was lost.

See docs/guarantees.md#tasks.
"""

import logging
from datetime import datetime, timedelta
from urllib.parse import quote

from apprise import Apprise
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F, QuerySet
from django.utils import timezone

from commerce.messaging.models import Message
from commerce.messaging.outbox import write_to_outbox
from commerce.messaging.recipients import is_email, masked
from core.batches import delete_in_batches

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
# Longer than a gateway is waited for, so that a sweep does not send what a task is sending.
RETRY_AFTER = timedelta(minutes=1)
GATEWAY_TIMEOUT_SECONDS = 10
RETENTION = timedelta(days=1)


def write_message(*, to: str, subject: str, text: str, code: str, expires_at: datetime) -> Message:
    """Write down a message to a normalised account; without a text it counts as sent.

    So a call takes as long for somebody who gets no message as for somebody who does.
    """
    return Message.objects.create(
        channel=Message.Channel.email if is_email(to) else Message.Channel.sms,
        to=to,
        subject=subject,
        text=text,
        code=code,
        send_after=timezone.now(),
        expires_at=expires_at,
        sent_at=None if text else timezone.now(),
    )


def due_messages() -> QuerySet[Message]:
    """Find the messages that are to be sent now."""
    now = timezone.now()
    return Message.objects.filter(
        sent_at=None, send_after__lte=now, expires_at__gt=now, attempts__lt=MAX_ATTEMPTS
    )


def deliver(message_id: int) -> None:
    """Send a message that is due; any other one is left alone. May run twice, also at once.

    A failure is logged and tried again by the sweep, each time later, while the message is worth sending.
    """
    due = due_messages().filter(pk=message_id)
    message = due.first()
    if message is None:
        return
    next_try = timezone.now() + RETRY_AFTER * 2**message.attempts
    claimed = due.filter(attempts=message.attempts).update(attempts=F("attempts") + 1, send_after=next_try)
    if not claimed:
        return
    try:
        _send(message)
    except Exception as failure:
        # A gateway's own text may contain the number or the code.
        log.warning("message %s to %s not sent: %s", message.pk, masked(message.to), type(failure).__name__)
        return
    Message.objects.filter(pk=message_id).update(sent_at=timezone.now(), text="", code="")


def _send(message: Message) -> None:
    if message.channel == Message.Channel.sms and settings.SMS_URL:
        _send_sms(message)
    elif message.channel == Message.Channel.email and settings.EMAIL_URL:
        connection = get_connection(timeout=GATEWAY_TIMEOUT_SECONDS)
        EmailMessage(message.subject, message.text, to=[message.to], connection=connection).send()
    else:
        write_to_outbox(message)


def _send_sms(message: Message) -> None:
    digits = message.to.removeprefix("+")
    # A new object for each: a used one makes the next message wait.
    gateway = Apprise()
    known = gateway.add(settings.SMS_URL.replace("{to}", quote(digits, safe="")))
    if not known or not gateway.notify(body=message.text):
        raise ConnectionError("the SMS gateway did not take the message")


def delete_expired_messages() -> None:
    """Delete messages that expired over a day ago."""
    delete_in_batches(Message.objects.filter(expires_at__lt=timezone.now() - RETENTION))
