"""Messages to customers: stored first, then sent."""

from django.db import models
from django.db.models import Q

from core.update_only import UpdateOnlyModel

MAX_SUBJECT = 200


class Message(UpdateOnlyModel):
    """A text to a customer, stored before it is sent; if its task is lost, a periodic job sends it.

    Texts, code and link are wiped when the message is sent, permanently refused or expired.
    See docs/guarantees/operation.md#messages.
    """

    UPDATE_ONLY = frozenset(
        {
            "text",
            "html",
            "code",
            "unsubscribe_url",
            "reply_to",
            "attempts",
            "send_after",
            "expires_at",
            "sent_at",
        }
    )

    class Channel(models.TextChoices):
        sms = "sms"
        email = "email"

    channel = models.CharField(max_length=6, choices=Channel.choices)
    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=MAX_SUBJECT, blank=True)
    text = models.TextField(blank=True)
    # The text as HTML, for mail only; empty for none.
    html = models.TextField(blank=True, default="", db_default="")
    code = models.CharField(max_length=6, blank=True)
    # The URL that a mail program posts to in order to unsubscribe (RFC 8058); empty for none.
    unsubscribe_url = models.TextField(blank=True, default="", db_default="")
    # The address that a reply goes to, for mail to the shop; empty for the shop's own.
    reply_to = models.CharField(max_length=254, blank=True, default="", db_default="")
    # The registered state that it announces (`commerce.messaging.states`) and the key of the row that has it;
    # empty and null if it is sent in any case.
    state = models.CharField(max_length=20, blank=True, default="", db_default="")
    state_id = models.BigIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    send_after = models.DateTimeField()
    # After this time the message is not sent any more.
    expires_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["send_after"], condition=Q(sent_at=None), name="message_unsent")]
