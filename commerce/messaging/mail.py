"""Stores mail of Django and Wagtail as messages that a task sends."""

from collections.abc import Sequence
from datetime import timedelta

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from commerce.messaging.services import write_message
from commerce.messaging.tasks import send_message
from core.enqueue import enqueue_after_commit

# After this time a message about a draft is useless.
LIFE = timedelta(days=1)


class WrittenMail(BaseEmailBackend):
    """Stores mail; a task sends it by `MAIL_BACKEND`."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store a message for each recipient; return the number of mails."""
        expires_at = timezone.now() + LIFE
        for mail in email_messages:
            for to in mail.recipients():
                with transaction.atomic():
                    text = str(mail.body)
                    message = write_message(
                        to=to, subject=str(mail.subject), text=text, code="", expires_at=expires_at
                    )
                    enqueue_after_commit(send_message, message.pk)
        return len(email_messages)
