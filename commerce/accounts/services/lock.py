"""Makes changes of what belongs to one customer follow each other."""

from django.db import connection

from commerce.accounts.models import Customer
from core.prepared import prepared_cursor

_LOCK = f"SELECT id FROM {Customer._meta.db_table} WHERE id = %s FOR NO KEY UPDATE"  # noqa: S608  a table's name


def lock_customer(customer: Customer) -> None:
    """Lock a customer's row until the transaction ends; rows locked meanwhile must come after it.

    SQLite has no row locks and needs none: a transaction there is the only writer from its start.
    """
    if connection.vendor == "postgresql":
        with prepared_cursor() as cursor:
            cursor.execute(_LOCK, [customer.pk])
