"""Audit rules for messages (docs/guarantees/operation.md#tasks, docs/guarantees/customers.md#secrets)."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from commerce.messaging.models import Message
from core.audit import Difference, about

# Jobs send or wipe due messages every minute, well within this time.
DONE_WITHIN = timedelta(minutes=10)


@about(Message)
def differences() -> Iterator[Difference]:
    """Yield a difference for each unsent message, and for each text, code or link that was not wiped."""
    before = timezone.now() - DONE_WITHIN
    unsent = Q(sent_at=None) & (Q(expires_at__lte=before) | Q(attempts=0, send_after__lte=before))
    for message in Message.objects.filter(unsent).order_by("pk").iterator():
        yield Difference(
            "message-sent",
            f"message {message.pk}",
            _("due at %(due_at)s, not sent, %(attempts)s attempts"),
            due_at=message.send_after,
            attempts=message.attempts,
        )
    ended = Q(sent_at__isnull=False) | Q(expires_at__lte=before)
    kept = Message.objects.filter(ended).exclude(text="", code="", unsubscribe_url="")
    for pk in kept.order_by("pk").values_list("pk", flat=True):
        yield Difference("code-wiped", f"message {pk}", _("its text, code or link is kept after its end"))
