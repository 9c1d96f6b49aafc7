"""Deletes what has served its time, in batches that end (docs/data-growth.md)."""

import logging
import time
from typing import Any

from django.db.models import QuerySet

log = logging.getLogger(__name__)

BATCH = 1_000
# What one night deletes of one table at most; the next night goes on.
MAX_ROWS = 100_000
MAX_SECONDS = 60


def delete_in_batches(rows: QuerySet[Any]) -> int:
    """Delete rows in the order of their keys, each batch in a transaction of its own; returns how many.

    So no transaction locks many rows for long, and no index is needed: the keys are read once, from the first
    to the last. It ends after MAX_ROWS or MAX_SECONDS. Call it outside any transaction.
    """
    deadline = time.monotonic() + MAX_SECONDS
    due, deleted = rows.order_by("pk"), 0
    left = due
    while keys := list(left.values_list("pk", flat=True)[:BATCH]):
        # The condition once more, since a row may have changed after it was read.
        due.filter(pk__in=keys).delete()
        deleted += len(keys)
        if deleted >= MAX_ROWS or time.monotonic() > deadline:
            log.warning("the next night deletes the rest", extra={"table": rows.model._meta.db_table})
            break
        left = due.filter(pk__gt=keys[-1])
    return deleted
