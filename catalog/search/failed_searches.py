"""Searches that found nothing: counted, so that buyers learn what customers look for."""

import re

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.search.folding import fold, phrase
from catalog.search.models import MAX_TERM, FailedSearch

# How many different searches are stored; the rarest and oldest are deleted for new ones.
MAX_ROWS = 5_000
# Deleting is this rare because finding the rarest means reading all.
_EVERY = 100
# Possible personal data: addresses, and numbers as long as a telephone's or a card's.
_PERSONAL = re.compile(r"@|\bwww\b|https?:|(?:\d[\s().+-]*){7,}")


def countable_text(word: str) -> str:
    """Return the text that is counted of a search; empty for personal data and for what is no name."""
    text = phrase(fold(word)) if len(word) <= MAX_TERM else ""
    return "" if len(text) > MAX_TERM or _PERSONAL.search(fold(word)) else text


@transaction.atomic
def count(name: str) -> None:
    """Count a search once more; two writes for a new one, else one."""
    row, is_new = FailedSearch.objects.get_or_create(word=name, defaults={"count": 0})
    FailedSearch.objects.filter(pk=row.pk).update(count=F("count") + 1, last_at=timezone.now())
    if is_new and row.pk % _EVERY == 0:
        drop_rarest()


def drop_rarest() -> None:
    """Delete the rarest and oldest searches beyond MAX_ROWS."""
    rarest = FailedSearch.objects.order_by("-count", "-last_at").values_list("pk", flat=True)[MAX_ROWS:]
    FailedSearch.objects.filter(pk__in=list(rarest)).delete()
