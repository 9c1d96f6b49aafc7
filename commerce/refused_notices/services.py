"""Counts the notices of providers that are refused (docs/guarantees/money.md#refused-notices)."""

from datetime import timedelta

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from commerce.refused_notices.models import RefusedNotice
from core.clock import shop_zone
from core.due_rows import delete_in_batches

Reason = RefusedNotice.Reason
# Staff are notified of a day with more.
FEW = 20
# The warning of a day stays until the end of the next.
SHOWN_FOR = timedelta(days=1)
KEPT_FOR = timedelta(days=90)

_COUNT = f"""
INSERT INTO {RefusedNotice._meta.db_table} AS counter (day, provider, reason, count, last_at)
VALUES (%s, %s, %s, 1, %s)
ON CONFLICT (day, provider, reason) DO UPDATE SET count = counter.count + 1, last_at = excluded.last_at
"""  # noqa: S608  no value is in it


class BadNoticeError(Exception):
    """Raised for a notice that is forged or too old, cannot be read, or is about something unknown."""

    def __init__(self, text: str, reason: Reason = Reason.forged) -> None:
        super().__init__(text)
        self.reason = reason


def count_refused(*, provider: str, reason: Reason) -> None:
    """Count a refused notice by one statement, however many come at the same time.

    In SQL, since Django's `bulk_create` cannot add to the row that is there.
    """
    now = timezone.now()
    with connection.cursor() as cursor:
        stored = connection.ops.adapt_datetimefield_value(now)
        cursor.execute(_COUNT, [timezone.localdate(now, shop_zone()), provider, reason.value, stored])


def refused_lately(*, more_than: int = 0) -> QuerySet[RefusedNotice]:
    """Return the counts of today and yesterday that are above a number, the highest first."""
    since = timezone.localdate(timezone=shop_zone()) - SHOWN_FOR
    return RefusedNotice.objects.filter(day__gte=since, count__gt=more_than).order_by("-count", "pk")


def delete_old_counts() -> int:
    """Delete the counts of more than 90 days ago; returns how many."""
    return delete_in_batches(RefusedNotice.objects.filter(last_at__lt=timezone.now() - KEPT_FOR))
