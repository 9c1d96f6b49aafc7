"""Staff tick off a difference once they know why it is there."""

from django.contrib.auth.models import User
from django.utils import timezone

from commerce.statements.models import StatementDifference
from core.errors import Err, ShopError

State = StatementDifference.State


def tick_off(*, difference: StatementDifference, staff: User, note: str) -> None:
    """Tick an open difference off, with why.

    Raises ShopError(note_missing), and ShopError(difference_closed) where it is open no more.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": Err.note_missing.name})
    still_open = StatementDifference.objects.filter(pk=difference.pk, state=State.open)
    if not still_open.update(state=State.ticked, closed_at=timezone.now(), staff=staff, note=note.strip()):
        raise ShopError(Err.difference_closed)
