"""Counts refused notices of providers, and stores genuine ones that match nothing.

See docs/guarantees/money.md#refused-notices.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from commerce.refused_notices.models import RefusedNotice, UnmatchedNotice
from core.clock import shop_zone
from core.due_rows import delete_in_batches

Reason = RefusedNotice.Reason
# Staff see a card for a day with more refused notices.
FEW = 20
# The card of a day is shown until the end of the next day.
SHOWN_FOR = timedelta(days=1)
KEPT_FOR = timedelta(days=90)
# A provider whose signature does not cover the content could otherwise be made to fill the table.
MAX_UNMATCHED_A_DAY = 100
MAX_CONTENT = 4000
UNMATCHED_SHOWN_FOR = timedelta(days=14)

_COUNT = f"""
INSERT INTO {RefusedNotice._meta.db_table} AS counter (day, provider, reason, count, last_at)
VALUES (%s, %s, %s, 1, %s)
ON CONFLICT (day, provider, reason) DO UPDATE SET count = counter.count + 1, last_at = excluded.last_at
"""  # noqa: S608  no value is in it


class BadNoticeError(Exception):
    """Raised for a notice that is forged, too old or unreadable, or whose subject is unknown."""

    def __init__(self, text: str, reason: Reason = Reason.forged) -> None:
        super().__init__(text)
        self.reason = reason


def count_refused(*, provider: str, reason: Reason) -> None:
    """Count a refused notice in one statement, so that concurrent notices are all counted.

    It is SQL, since Django's `bulk_create` cannot add to an existing row.
    """
    now = timezone.now()
    with connection.cursor() as cursor:
        stored = connection.ops.adapt_datetimefield_value(now)
        cursor.execute(_COUNT, [timezone.localdate(now, shop_zone()), provider, reason.value, stored])


def refused_lately(*, more_than: int = 0) -> QuerySet[RefusedNotice]:
    """Return the counts of today and yesterday that exceed a number, highest first."""
    since = timezone.localdate(timezone=shop_zone()) - SHOWN_FOR
    return RefusedNotice.objects.filter(day__gte=since, count__gt=more_than).order_by("-count", "pk")


def store_unmatched(
    *, provider: str, event_id: str, kind: str, named: Iterable[str], content: Mapping[str, Any]
) -> None:
    """Store a genuine notice that matches no payment or parcel, so that staff see it.

    A repeat changes nothing. `named`: the references that it names. Raises BadNoticeError beyond
    MAX_UNMATCHED_A_DAY of a provider.
    """
    stored = UnmatchedNotice.objects.filter(provider=provider)
    if stored.filter(event_id=event_id).exists():
        return
    if stored.filter(created_at__gt=timezone.now() - timedelta(days=1)).count() >= MAX_UNMATCHED_A_DAY:
        raise BadNoticeError("too many about something unknown", Reason.unknown)
    row = UnmatchedNotice(
        provider=provider,
        event_id=event_id,
        kind=kind[:100],
        named=", ".join(dict.fromkeys(named))[:300],
        content="\n".join(f"{name}: {value}" for name, value in _flat(content))[:MAX_CONTENT],
    )
    # Concurrent copies of one notice store one row.
    UnmatchedNotice.objects.bulk_create([row], ignore_conflicts=True)


def _flat(content: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, str]]:
    for name, value in content.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", str(value)[:300]


def unmatched_lately() -> QuerySet[UnmatchedNotice]:
    """Return the unmatched notices of the last 14 days, the newest first."""
    return UnmatchedNotice.objects.filter(created_at__gt=timezone.now() - UNMATCHED_SHOWN_FOR)


def delete_old_notices() -> int:
    """Delete counts and unmatched notices older than 90 days; return how many."""
    before = timezone.now() - KEPT_FOR
    deleted = delete_in_batches(RefusedNotice.objects.filter(last_at__lt=before))
    return deleted + delete_in_batches(UnmatchedNotice.objects.filter(created_at__lt=before))
