"""Stores messages to customers; a task sends each one, or a periodic job if the task was lost.

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
from commerce.messaging.states import lasts, note_unsent
from core.due_rows import MAX_SECONDS, delete_in_batches, monotonic, process_due_rows
from core.gateways import gateway

log = logging.getLogger(__name__)

# Longer than the timeout of a gateway, so that the job does not send a message that a task is sending.
# Twice as long after each failure, up to about an hour.
RETRY_AFTER = timedelta(minutes=1)
MAX_DOUBLINGS = 6
# The time limit for sending one message.
GATEWAY_SECONDS = 15
RETENTION = timedelta(days=1)
# A mail server that refuses one message is not down, so the circuit breaker ignores these errors.
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
    reply_to: str = "",
    state: str = "",
    state_id: int | None = None,
) -> Message:
    """Store a message to a normalised account; a message without a text counts as sent.

    A call therefore takes equally long whether the account gets a message or not. `html`: the text as HTML;
    `unsubscribe_url`: the absolute URL that ends optional mail by a POST without login. Both are for mail
    only, and SMS do not show the subject. A subject that is too long ends with an ellipsis. `reply_to`: the
    address that replies to a mail go to; by default the shop's own. `state`, `state_id`: the registered state
    that it announces, and the key of the row that has it; it is sent only while that state lasts.
    """
    # One line, since names may contain line breaks, which mail servers refuse.
    subject = Truncator(" ".join(subject.split())).chars(MAX_SUBJECT)
    return Message.objects.create(
        channel=Message.Channel.email if is_email(to) else Message.Channel.sms,
        to=to,
        subject=subject,
        text=text,
        html=html if is_email(to) else "",
        code=code,
        unsubscribe_url=unsubscribe_url if is_email(to) else "",
        reply_to=reply_to,
        state=state,
        state_id=state_id,
        send_after=timezone.now(),
        expires_at=expires_at,
        sent_at=None if text else timezone.now(),
    )


def due_messages() -> QuerySet[Message]:
    """Return the messages that must be sent now."""
    now = timezone.now()
    return Message.objects.filter(sent_at=None, send_after__lte=now, expires_at__gt=now)


def deliver_due_messages() -> int:
    """Send the due messages, earliest expiry first; return the number of tried messages.

    A code is therefore sent before a thousand messages about orders. The loop also sends messages that are
    stored while it runs.
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

    A failure is logged, and the periodic job retries with growing delays until the message expires. If the
    recipient's server refuses permanently, it is not retried. If the outcome is unknown, as after a kill, it
    is retried after a minute. While a gateway's circuit breaker is open, its messages wait; waiting is not
    counted as an attempt. A message about a state that is over is deleted.
    """
    due = due_messages().filter(pk=message_id)
    message = due.first()
    if message is None:
        return
    now, still_true = timezone.now(), lasts(message)
    claimed = due.filter(still_true, attempts=message.attempts)
    if not claimed.update(attempts=F("attempts") + 1, send_after=now + RETRY_AFTER):
        # Another worker has claimed it, or its state is over.
        if still_true and due.exclude(still_true).delete()[0]:
            note_unsent(message)
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
            mine.update(expires_at=now, text="", html="", code="", unsubscribe_url="", reply_to="")
        else:
            mine.update(send_after=now + RETRY_AFTER * 2 ** min(message.attempts, MAX_DOUBLINGS))
    else:
        mine.update(sent_at=timezone.now(), text="", html="", code="", unsubscribe_url="", reply_to="")


def _is_final(failure: Exception) -> bool:
    """Return True if a mail server has refused this message permanently, with a code of 500 or more."""
    if isinstance(failure, SMTPRecipientsRefused):
        return all(code >= 500 for code, _answer in failure.recipients.values())
    return isinstance(failure, SMTPDataError) and failure.smtp_code >= 500


def _send(message: Message) -> None:
    if message.channel == Message.Channel.sms and settings.SMS_URL:
        # Created outside the time limit, since the first one loads every kind of service.
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
        message.subject,
        message.text,
        to=[message.to],
        reply_to=[message.reply_to] if message.reply_to else None,
        headers=headers,
        connection=server,
    )
    if message.html:
        email.attach_alternative(message.html, "text/html")
    email.send()


def _sms_service(to: str) -> Apprise:
    # A new object for each message, since a used one makes the next message wait. Without its own timeout,
    # since it would otherwise send in a thread that the gateway cannot end.
    service = Apprise(asset=AppriseAsset(service_timeout=0))
    if not service.add(settings.SMS_URL.replace("{to}", quote(to.removeprefix("+"), safe=""))):
        raise ValueError("SMS_URL is no address of a service")
    return service


def _send_sms(service: Apprise, text: str) -> None:
    if not service.notify(body=text):
        raise ConnectionError("the SMS gateway did not take the message")


def wipe_expired_messages() -> int:
    """Wipe texts, code and link of messages that were not sent in time; return the number of messages."""
    expired = Message.objects.filter(sent_at=None, expires_at__lte=timezone.now()).exclude(text="", code="")
    return expired.update(text="", html="", code="", unsubscribe_url="", reply_to="")


def delete_expired_messages() -> None:
    """Delete messages that expired more than a day ago."""
    expired = Message.objects.filter(expires_at__lt=timezone.now() - RETENTION)
    delete_in_batches(expired)
