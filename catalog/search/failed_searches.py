"""Counts of searches without results and of requests to stock products, for the shop's buyers."""

import re

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.search.folding import fold, phrase
from catalog.search.models import MAX_TERM, FailedSearch

# The most different searches to store; for new ones the rarest and oldest are deleted.
MAX_ROWS = 5_000
# One new row in this many deletes the rarest, because finding them reads all rows.
_EVERY = 100
# Possible personal data: addresses, and numbers as long as a telephone or card number.
_PERSONAL = re.compile(r"@|\bwww\b|https?:|(?:\d[\s().+-]*){7,}")


def countable_text(word: str) -> str:
    """Return the text under which a search is counted; empty for personal data and texts without words."""
    text = phrase(fold(word)) if len(word) <= MAX_TERM else ""
    return "" if len(text) > MAX_TERM or _PERSONAL.search(fold(word)) else text


@transaction.atomic
def count(name: str) -> None:
    """Add one to the count of a search; two writes if it is new, otherwise one."""
    row, is_new = FailedSearch.objects.get_or_create(word=name, defaults={"count": 0})
    FailedSearch.objects.filter(pk=row.pk).update(count=F("count") + 1, last_at=timezone.now())
    if is_new and row.pk % _EVERY == 0:
        drop_rarest()


@transaction.atomic
def count_request(word: str) -> None:
    """Add one to the requests to stock what a search did not find; nothing for a text that is not counted."""
    name = countable_text(word)
    if not name:
        return
    row, is_new = FailedSearch.objects.get_or_create(word=name, defaults={"count": 0})
    FailedSearch.objects.filter(pk=row.pk).update(requests=F("requests") + 1, last_at=timezone.now())
    if is_new and row.pk % _EVERY == 0:
        drop_rarest()


def drop_rarest() -> None:
    """Delete the rarest and oldest searches above MAX_ROWS, those with requests last."""
    rarest = FailedSearch.objects.order_by("-requests", "-count", "-last_at").values_list("pk", flat=True)[
        MAX_ROWS:
    ]
    FailedSearch.objects.filter(pk__in=list(rarest)).delete()
