"""Opaque login tokens: 256 random bits, stored hashed, sliding 30 days, at most 180 (docs/wire.md#login)."""

import logging
from datetime import datetime, timedelta

from django.db import Error, transaction
from django.utils import timezone

from commerce.accounts.models import AuthToken, Customer
from core.database_errors import refusal_of
from core.database_limits import sqlite_lock_limit
from core.ids import digest, new_secret
from core.prepared import PreparedQuery

log = logging.getLogger(__name__)

SLIDES_BY = timedelta(days=30)
MAX_LIFETIME = timedelta(days=180)
# Browsers and phones of one customer that are logged in at once.
MAX_LOGINS = 50
# A token is moved on at most once a day, so that reading does not write.
MIN_EXTENSION = timedelta(days=1)

_TOKENS, _CUSTOMERS = AuthToken._meta.db_table, Customer._meta.db_table
_CUSTOMER_FIELDS = Customer._meta.concrete_fields
_CUSTOMER_NAMES = [field.attname for field in _CUSTOMER_FIELDS]
# The login of a token's hash at a time, and its customer.
_LOGIN = PreparedQuery(
    f"SELECT {_TOKENS}.id, {_TOKENS}.created_at, {_TOKENS}.expires_at,"  # noqa: S608  names of tables and columns
    f" {', '.join(f'{_CUSTOMERS}.{field.column}' for field in _CUSTOMER_FIELDS)}"
    f" FROM {_TOKENS} JOIN {_CUSTOMERS} ON {_CUSTOMERS}.id = {_TOKENS}.customer_id"
    f" WHERE {_TOKENS}.token_hash = %s AND {_TOKENS}.expires_at > %s AND {_CUSTOMERS}.is_active",
    [*map(AuthToken._meta.get_field, ("id", "created_at", "expires_at")), *_CUSTOMER_FIELDS],  # type: ignore[list-item]
)


def issue_token(customer: Customer) -> str:
    """Make a token for a customer who has proved who they are; the text is not stored.

    Of a customer's logins beyond MAX_LOGINS the ones that were not used for longest end.
    """
    token = new_secret()
    AuthToken.objects.create(
        customer=customer, token_hash=digest(token), expires_at=timezone.now() + SLIDES_BY
    )
    logins = AuthToken.objects.filter(customer=customer).order_by("-expires_at", "-pk")
    excess = list(logins.values_list("pk", flat=True)[MAX_LOGINS:])
    if excess:
        AuthToken.objects.filter(pk__in=excess).delete()
    return token


def customer_of_token(token: str) -> Customer | None:
    """Return the active customer of a token and move its expiry on; None for an expired or unknown one."""
    now = timezone.now()
    found = _LOGIN.rows(digest(token), now)
    if not found:
        return None
    login_id, created_at, ends_at, *values = found[0]
    expires_at = min(now + SLIDES_BY, created_at + MAX_LIFETIME)
    if expires_at - ends_at > MIN_EXTENSION:
        _extend(login_id, expires_at)
    return Customer.from_db("default", _CUSTOMER_NAMES, values)


def _extend(login_id: int, expires_at: datetime) -> None:
    """Extend a token; left to its next use where the database is busy or cannot write."""
    try:
        # Who only reads waits for nobody who writes.
        with sqlite_lock_limit(0), transaction.atomic():
            AuthToken.objects.filter(pk=login_id).update(expires_at=expires_at)
    except Error as error:
        if refusal_of(error) is None:
            raise
        log.info("a login was not extended: %s", error)


def revoke_token(token: str) -> None:
    """Revoke one token."""
    AuthToken.objects.filter(token_hash=digest(token)).delete()


def revoke_all_tokens(customer: Customer, *, except_token: str = "") -> None:
    """Revoke every token of a customer except one."""
    AuthToken.objects.filter(customer=customer).exclude(token_hash=digest(except_token)).delete()
