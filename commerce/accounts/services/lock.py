"""Locks a customer's row, so that changes to one customer's data run one after the other."""

from django.db import connection

from commerce.accounts.models import DELETED_PREFIX, Customer
from core.errors import Err, ShopError
from core.prepared import prepared_cursor

_IS_THERE = f"SELECT id FROM {Customer._meta.db_table} WHERE id = %s AND substr(account, 1, %s) <> %s"  # noqa: S608  a table's name
_LOCK = f"{_IS_THERE} FOR NO KEY UPDATE"


def lock_customer(customer: Customer) -> None:
    """Lock a customer's row until the transaction ends; later locks must come after it in the lock order.

    SQLite needs no row lock: a transaction is the only writer from its start.
    Raises ShopError(login_invalid) if the account was deleted after the token was read.
    """
    with prepared_cursor() as cursor:
        text = _LOCK if connection.vendor == "postgresql" else _IS_THERE
        cursor.execute(text, [customer.pk, len(DELETED_PREFIX), DELETED_PREFIX])
        if cursor.fetchone() is None:
            raise ShopError(Err.login_invalid)
