"""Rows of a table that one test tries one after another."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import caches
from django.db import transaction

from core.snapshots import invalidate_all


@contextmanager
def undone() -> Iterator[None]:
    """Undo what a row changes in the database and in caches, so that each row starts from the same state."""
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        invalidate_all()
        for cache in caches.all(initialized_only=True):
            cache.clear()
