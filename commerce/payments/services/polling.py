"""Polls of payments and refunds by the scheduler: at growing intervals, by one job at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Model, QuerySet

# Minutes between two polls of one row; the last interval repeats until no poll is due.
INTERVALS = (1, 2, 5, 15, 60)
# Longer than any poll takes.
ASKED_WITHIN = timedelta(seconds=30)


@contextmanager
def claim_poll(row: Model, now: datetime, **noted: Any) -> Iterator[bool]:
    """Claim a poll of a payment or refund for the block, which gets False if another job has claimed it.

    Afterwards the next poll waits for its interval, unless the answer ended all polls. If the process is
    killed before the answer, the row is polled again after ASKED_WITHIN. `row`: as it was read. `noted`:
    other columns to write with the claim.
    """
    rows: QuerySet[Any] = type(row)._default_manager.filter(pk=row.pk)
    queries, seen = row.queries, row.next_query_at  # type: ignore[attr-defined]  # both models have them
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
