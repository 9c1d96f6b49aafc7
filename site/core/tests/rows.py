"""Rows of the database in tests, and rows of a table that one test tries in turn with the same set-up."""

from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from django.core.cache import caches
from django.db import transaction
from django.db.models import Model

from core import due_rows, gateways
from core.snapshots import invalidate_all


@contextmanager
def rolled_back() -> Iterator[None]:
    """Roll back what the block writes; empty the caches and forget failures, as between two tests."""
    # `transaction.atomic` would refuse the durable transactions of the shop.
    savepoint = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(savepoint)
        transaction.set_rollback(False)
        invalidate_all()
        due_rows._failures.clear()
        gateways.gateway.cache_clear()
        for cache in caches.all(initialized_only=True):
            cache.clear()


def stored(row: Model, *names: str) -> Any:
    """Read a row again; returns the named attribute of it, or a tuple of several."""
    row.refresh_from_db()
    return attrgetter(*names)(row)
