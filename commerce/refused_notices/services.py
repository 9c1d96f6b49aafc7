"""Counts refused notices of providers (docs/guarantees/money.md#refused-notices)."""

from datetime import timedelta

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from commerce.refused_notices.models import RefusedNotice
from core.clock import shop_zone
from core.due_rows import delete_in_batches

Reason = RefusedNotice.Reason
# Staff see a card for a day with more refused notices.
FEW = 20
# The card of a day is shown until the end of the next day.
SHOWN_FOR = timedelta(days=1)
KEPT_FOR = timedelta(days=90)

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


def delete_old_counts() -> int:
    """Delete the counts older than 90 days; return how many."""
    return delete_in_batches(RefusedNotice.objects.filter(last_at__lt=timezone.now() - KEPT_FOR))
