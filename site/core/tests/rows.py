"""Rows of a table that one test tries one after another."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import caches
from django.db import transaction

from core import due_rows
from core.snapshots import invalidate_all


@contextmanager
def undone() -> Iterator[None]:
    """Undo what a row changes in the database, in caches and in what jobs remember of failed rows."""
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        due_rows._failures.clear()
        invalidate_all()
        for cache in caches.all(initialized_only=True):
            cache.clear()
