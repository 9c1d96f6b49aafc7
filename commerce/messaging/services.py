"""Texts to customers: rows first, sent by a task, or by the periodic job if a task was lost.

See docs/guarantees/operation.md#tasks, docs/guarantees/operation.md#messages.
"""

import logging
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPDataError, SMTPRecipientsRefused
from urllib.parse import quote

from apprise import Apprise, AppriseAsset
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.text import Truncator
from pybreaker import CircuitBreakerError

from commerce.messaging.models import MAX_SUBJECT, Message
from commerce.messaging.outbox import write_to_outbox
from commerce.messaging.recipients import is_email, masked
from core.due_rows import MAX_SECONDS, delete_in_batches, monotonic, process_due_rows
from core.gateways import gateway

log = logging.getLogger(__name__)

# Longer than the timeout of a gateway, so that the job does not send what a task is sending; after a failure
# each time twice as long, up to an hour.
RETRY_AFTER = timedelta(minutes=1)
MAX_DOUBLINGS = 6
# For a whole message.
GATEWAY_SECONDS = 15
RETENTION = timedelta(days=1)
# A mail server's refusal of one message is no outage of the server.
_REFUSALS = (SMTPRecipientsRefused, SMTPDataError)


def write_message(
    *,
    to: str,
    subject: str,
    text: str,
    code: str,
    expires_at: datetime,
    html: str = "",
    unsubscribe_url: str = "",
) -> Message:
    """Write down a message to a normalised account; without a text it counts as sent.

    `html`: the same as a page, for mail. An SMS has neither that nor a subject. `unsubscribe_url`: for mail
    that its recipient can do without, the whole address that ends it by a POST without login.

    A call therefore takes the same time whether the account gets a message or not. A subject that is too long
    ends with an ellipsis.
    """
    # One line: a name in it may have line breaks, and no mail server takes those.
    subject = Truncator(" ".join(subject.split())).chars(MAX_SUBJECT)
    return Message.objects.create(
        channel=Message.Channel.email if is_email(to) else Message.Channel.sms,
        to=to,
        subject=subject,
        text=text,
        html=html if is_email(to) else "",
        code=code,
        unsubscribe_url=unsubscribe_url if is_email(to) else "",
        send_after=timezone.now(),
        expires_at=expires_at,
        sent_at=None if text else timezone.now(),
    )


def due_messages() -> QuerySet[Message]:
    """Find the messages that are to be sent now."""
    now = timezone.now()
    return Message.objects.filter(sent_at=None, send_after__lte=now, expires_at__gt=now)


def deliver_due_messages() -> int:
    """Send the messages that are due, those first that end soonest; returns how many were tried.

    A code is therefore sent before a thousand messages about orders. The loop also sends messages that are
    written while it runs.
    """
    until, tried = monotonic() + MAX_SECONDS, 0
    while (seconds := until - monotonic()) > 0:
        due = due_messages().order_by("expires_at", "pk")
        if not (done := process_due_rows("messages", due, deliver, seconds=seconds)):
            break
        tried += done
    return tried


def deliver(message_id: int) -> None:
    """Send a message if it is due. May run twice, also concurrently.

    A failure is logged and retried by the periodic job, each time later, while the message is worth sending.
    A message that the recipient's server refuses for good is not retried. If the outcome is unknown, as after
    a kill, it is retried in a minute. While the circuit breaker of a gateway is open, its
    messages wait, which is no attempt.
    """
    due = due_messages().filter(pk=message_id)
    message = due.first()
    if message is None:
        return
    now = timezone.now()
    claimed = due.filter(attempts=message.attempts)
    if not claimed.update(attempts=F("attempts") + 1, send_after=now + RETRY_AFTER):
        return
    mine = Message.objects.filter(pk=message_id)
    try:
        _send(message)
    except CircuitBreakerError:
        mine.update(attempts=message.attempts, send_after=now + RETRY_AFTER)
    except Exception as failure:
        # A gateway's own text may contain the number or the code.
        log.warning("message %s to %s not sent: %s", message.pk, masked(message.to), type(failure).__name__)
        if _is_final(failure):
            mine.update(expires_at=now, text="", html="", code="", unsubscribe_url="")
        else:
            mine.update(send_after=now + RETRY_AFTER * 2 ** min(message.attempts, MAX_DOUBLINGS))
    else:
        mine.update(sent_at=timezone.now(), text="", html="", code="", unsubscribe_url="")


def _is_final(failure: Exception) -> bool:
    """Return True if a mail server has refused this message for good: by a code of 500 or more."""
    if isinstance(failure, SMTPRecipientsRefused):
        return all(code >= 500 for code, _answer in failure.recipients.values())
    return isinstance(failure, SMTPDataError) and failure.smtp_code >= 500


def _send(message: Message) -> None:
    if message.channel == Message.Channel.sms and settings.SMS_URL:
        # Made beforehand: the first one loads every kind of service.
        send = partial(_send_sms, _sms_service(message.to), message.text)
        gateway("sms").call(send, seconds=GATEWAY_SECONDS)
    elif message.channel == Message.Channel.email and settings.EMAIL_URL:
        gateway("mail", _REFUSALS).call(partial(_send_email, message), seconds=GATEWAY_SECONDS)
    else:
        write_to_outbox(message)


def _send_email(message: Message) -> None:
    headers = {}
    if message.unsubscribe_url:
        headers = {
            "List-Unsubscribe": f"<{message.unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    server = get_connection(settings.MAIL_BACKEND)
    email = EmailMultiAlternatives(
        message.subject, message.text, to=[message.to], headers=headers, connection=server
    )
    if message.html:
        email.attach_alternative(message.html, "text/html")
    email.send()


def _sms_service(to: str) -> Apprise:
    # A new object for each: a used one makes the next message wait.
    # With a timeout of its own it would send in a thread that the gateway cannot end.
    service = Apprise(asset=AppriseAsset(service_timeout=0))
    if not service.add(settings.SMS_URL.replace("{to}", quote(to.removeprefix("+"), safe=""))):
        raise ValueError("SMS_URL is no address of a service")
    return service


def _send_sms(service: Apprise, text: str) -> None:
    if not service.notify(body=text):
        raise ConnectionError("the SMS gateway did not take the message")


def wipe_expired_messages() -> int:
    """Wipe text and code of the messages that were not sent in time; returns of how many."""
    expired = Message.objects.filter(sent_at=None, expires_at__lte=timezone.now()).exclude(text="", code="")
    return expired.update(text="", html="", code="", unsubscribe_url="")


def delete_expired_messages() -> None:
    """Delete messages that expired over a day ago."""
    expired = Message.objects.filter(expires_at__lt=timezone.now() - RETENTION)
    delete_in_batches(expired)
