"""Login tokens: 256 random bits, stored hashed, sliding 30 days, at most 180 (docs/wire.md#login)."""

import logging
from datetime import date, datetime, timedelta

from django.db import Error, transaction
from django.utils import timezone

from commerce.accounts.devices import Device
from commerce.accounts.models import AuthToken, Customer
from core.database_errors import refusal_of
from core.database_limits import sqlite_lock_limit
from core.ids import digest, new_secret
from core.prepared import PreparedQuery

log = logging.getLogger(__name__)

SLIDES_BY = timedelta(days=30)
MAX_LIFETIME = timedelta(days=180)
# The maximum number of simultaneous logins of one customer.
MAX_LOGINS = 50
UNKNOWN_DEVICE = Device()

_TOKENS, _CUSTOMERS = AuthToken._meta.db_table, Customer._meta.db_table
_CUSTOMER_FIELDS = Customer._meta.concrete_fields
_CUSTOMER_NAMES = [field.attname for field in _CUSTOMER_FIELDS]
# The login with a token hash, if it is valid at a given time, and its customer.
_LOGIN = PreparedQuery(
    f"SELECT {_TOKENS}.id, {_TOKENS}.created_at, {_TOKENS}.used_on,"  # noqa: S608  names of tables and columns
    f" {', '.join(f'{_CUSTOMERS}.{field.column}' for field in _CUSTOMER_FIELDS)}"
    f" FROM {_TOKENS} JOIN {_CUSTOMERS} ON {_CUSTOMERS}.id = {_TOKENS}.customer_id"
    f" WHERE {_TOKENS}.token_hash = %s AND {_TOKENS}.expires_at > %s AND {_CUSTOMERS}.is_active",
    [*map(AuthToken._meta.get_field, ("id", "created_at", "used_on")), *_CUSTOMER_FIELDS],  # type: ignore[list-item]
)


def issue_token(customer: Customer, device: Device = UNKNOWN_DEVICE) -> str:
    """Create a token for an authenticated customer; only its hash is stored.

    If the customer has more than MAX_LOGINS logins, the least recently used ones end.
    """
    token = new_secret()
    now = timezone.now()
    AuthToken.objects.create(
        customer=customer,
        token_hash=digest(token),
        browser=device.browser,
        system=device.system,
        expires_at=now + SLIDES_BY,
        used_on=timezone.localdate(now),
    )
    logins = AuthToken.objects.filter(customer=customer).order_by("-expires_at", "-pk")
    excess = list(logins.values_list("pk", flat=True)[MAX_LOGINS:])
    if excess:
        AuthToken.objects.filter(pk__in=excess).delete()
    return token


def customer_of_token(token: str) -> Customer | None:
    """Return the active customer of a token and extend the token; None if it is expired or unknown."""
    now = timezone.now()
    found = _LOGIN.rows(digest(token), now)
    if not found:
        return None
    login_id, created_at, used_on, *values = found[0]
    today = timezone.localdate(now)
    # Written at most once a day, so that most read requests write nothing.
    if used_on != today:
        _note_use(login_id, today, min(now + SLIDES_BY, created_at + MAX_LIFETIME))
    return Customer.from_db("default", _CUSTOMER_NAMES, values)


def _note_use(login_id: int, day: date, expires_at: datetime) -> None:
    """Store the day of a token's use and extend it; if the database is busy, leave both to the next use."""
    try:
        # A read request must not wait for a write.
        with sqlite_lock_limit(0), transaction.atomic():
            AuthToken.objects.filter(pk=login_id).update(used_on=day, expires_at=expires_at)
    except Error as error:
        if refusal_of(error) is None:
            raise
        log.info("a login was not extended: %s", error)


def revoke_token(token: str) -> None:
    """Revoke one token."""
    AuthToken.objects.filter(token_hash=digest(token)).delete()


def revoke_all_tokens(customer: Customer, *, except_token: str = "") -> None:
    """Revoke all tokens of a customer, except `except_token` if given."""
    AuthToken.objects.filter(customer=customer).exclude(token_hash=digest(except_token)).delete()
