"""Searches that found nothing: counted, so that buyers learn what customers look for."""

import re

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.search.folding import fold, phrase
from catalog.search.models import MAX_TERM, Unfound

# How many different searches are kept; the rarest and oldest make room for new ones.
MAX_ROWS = 5_000
# Room is made so rarely: looking for the rarest means reading all.
_EVERY = 100
# What may tell who somebody is: addresses, and numbers as long as a telephone's or a card's.
_PERSONAL = re.compile(r"@|\bwww\b|https?:|(?:\d[\s().+-]*){7,}")


def name_in(word: str) -> str:
    """Return what is counted of a search: nothing of what looks like an address or number, or is no name."""
    text = phrase(fold(word)) if len(word) <= MAX_TERM else ""
    return "" if len(text) > MAX_TERM or _PERSONAL.search(fold(word)) else text


@transaction.atomic
def count(name: str) -> None:
    """Count a search once more; two writes for a new one, else one."""
    row, is_new = Unfound.objects.get_or_create(word=name, defaults={"count": 0})
    Unfound.objects.filter(pk=row.pk).update(count=F("count") + 1, last_at=timezone.now())
    if is_new and row.pk % _EVERY == 0:
        make_room()


def make_room() -> None:
    """Drop the rarest and oldest searches beyond those that are kept."""
    least = Unfound.objects.order_by("-count", "-last_at").values_list("pk", flat=True)[MAX_ROWS:]
    Unfound.objects.filter(pk__in=list(least)).delete()
