"""When the scheduler polls providers about payments and refunds: at growing intervals, one job at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Model, QuerySet

# Minutes between two questions about one row; the last interval repeats until nothing more is to be asked.
INTERVALS = (1, 2, 5, 15, 60)
# Longer than any answer takes.
ASKED_WITHIN = timedelta(seconds=30)


@contextmanager
def claim_poll(row: Model, now: datetime, **noted: Any) -> Iterator[bool]:
    """Poll a payment or refund within the block, which gets False if another job polls it.

    The next question waits for its interval, unless the answer has ended them. Where the process is killed
    before the answer, it is asked again after ASKED_WITHIN, however often that happens. `row`: as it was
    read. `noted`: other columns to write before.
    """
    rows: QuerySet[Any] = type(row)._default_manager.filter(pk=row.pk)
    queries, seen = row.queries, row.next_query_at  # type: ignore[attr-defined]  # of both models
    claimed = now + ASKED_WITHIN
    if not rows.filter(next_query_at=seen).update(queries=F("queries") + 1, next_query_at=claimed, **noted):
        yield False
        return

    def wait_longer() -> None:
        minutes = INTERVALS[min(queries, len(INTERVALS) - 1)]
        rows.filter(next_query_at=claimed).update(next_query_at=now + timedelta(minutes=minutes))

    try:
        yield True
    except Exception:
        wait_longer()
        raise
    wait_longer()
