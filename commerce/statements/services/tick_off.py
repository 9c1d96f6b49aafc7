"""Ticks off statement differences that staff have explained."""

from django.contrib.auth.models import User
from django.utils import timezone

from commerce.statements.models import StatementDifference
from core.errors import Err, ShopError

State = StatementDifference.State


def tick_off(*, difference: StatementDifference, staff: User, note: str) -> None:
    """Tick off an open difference with a note.

    Raises ShopError(note_missing), and ShopError(difference_closed) if it is not open any more.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": Err.note_missing.name})
    still_open = StatementDifference.objects.filter(pk=difference.pk, state=State.open)
    if not still_open.update(state=State.ticked, closed_at=timezone.now(), staff=staff, note=note.strip()):
        raise ShopError(Err.difference_closed)
