"""Locks the freight rules, so that changes run one after the other (docs/freight.md#which-rule-wins)."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from commerce.delivery.models import FreightRule

_LOCK = f"LOCK TABLE {FreightRule._meta.db_table} IN SHARE ROW EXCLUSIVE MODE"


@contextmanager
def locking_freight_rules() -> Iterator[None]:
    """Lock the freight rules against other writers for the block, which is one transaction.

    Two new rules that overlap share no row, so PostgreSQL locks the table; readers do not wait.
    SQLite needs no lock: a transaction is the only writer from its start.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(_LOCK)
        yield
