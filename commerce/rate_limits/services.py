"""Counts attempts and refuses those beyond a limit, also if many come at the same time.

See docs/guarantees/customers.md#passwords.
"""

import logging
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, OperationalError, connection
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from commerce.rate_limits.models import RateLimitCounter
from core.clock import SET_BACK
from core.database_errors import has_lost_connection, refusal_of
from core.due_rows import delete_in_batches
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction, in_durable_transaction, in_transaction, is_outermost

log = logging.getLogger(__name__)

# Expired counters are stored so long.
RETENTION = timedelta(days=1)

# An end that is too late was written before the clock was set back: no caller waits for that too.
_IS_OVER = "(counter.window_ends_at <= %(now)s OR counter.window_ends_at > %(latest_end)s)"
_IS_UNLOCKED = (
    "(counter.locked_until IS NULL OR counter.locked_until <= %(now)s OR counter.locked_until > %(latest)s)"
)
_COUNT = f"""
INSERT INTO {RateLimitCounter._meta.db_table} AS counter
    ("limit", subject, count, window_ends_at, locked_until)
VALUES (%(limit)s, %(subject)s, 1, %(ends_at)s, %(locked_immediately)s)
ON CONFLICT ("limit", subject) DO UPDATE SET
    count = CASE WHEN {_IS_OVER} THEN 1 ELSE counter.count + 1 END,
    window_ends_at = CASE WHEN {_IS_OVER} THEN excluded.window_ends_at ELSE counter.window_ends_at END,
    locked_until = CASE
        WHEN {_IS_OVER} THEN excluded.locked_until
        WHEN counter.count + 1 >= %(maximum)s THEN COALESCE(%(lock_ends_at)s, counter.window_ends_at)
    END
WHERE {_IS_UNLOCKED} AND (%(needs_no_proof)s OR {_IS_OVER} OR counter.count < %(free_attempts)s)
"""  # noqa: S608  no value is in it


@dataclass(frozen=True)
class RateLimit:
    """How many attempts one subject has within a window, and for how long there are none after the last.

    `lock` None: until the window ends. `free_attempts`: how many attempts, one at least, need no solved
    captcha; None: all. While the window lasts, one attempt is left after each lock.
    """

    name: str
    maximum: int
    window: timedelta
    lock: timedelta | None = None
    free_attempts: int | None = None


Count = tuple[RateLimit, str]


@in_callers_transaction
def consume_in_transaction(*counts: Count, proven: bool = True) -> None:
    """Count one attempt for each pair of limit and subject, or for none of them when one refuses.

    Call it within the transaction that does what is counted: what is undone does not count. `proven`: a
    captcha was solved for it. Locks: the counters in a fixed order.
    Raises ShopError(too_frequent) with the seconds to wait, ShopError(captcha_required).
    """
    _count_all(counts, proven)


def consume(*counts: Count) -> None:
    """As `consume_in_transaction`, for what counts whatever becomes of it: guesses, and what takes long.

    It is counted beforehand, so that simultaneous ones cannot all pass; take a successful one back with
    `reset` or `refund`.
    """
    # One statement needs no transaction around it, as most attempts do; a refusal gets its reason within one.
    if len(counts) > 1 or not is_outermost() or not _add_alone(counts[0]):
        _consume(*counts)


@in_durable_transaction
def _consume(*counts: Count) -> None:
    _count_all(counts, proven=True)


@contextmanager
def refunded_if_busy(*counts: Count) -> Iterator[None]:
    """Refund consumed attempts if the database refuses what follows: the caller has to try again.

    A guess may be refunded once it was compared and is right, never before. An attempt stays counted where
    the database is still busy. Use it outside any transaction.
    """
    try:
        yield
    except Exception as error:
        if refusal_of(error):
            _refund_if_possible(counts)
        raise


@contextmanager
def refunded_if_refused(*counts: Count) -> Iterator[None]:
    """Refund consumed attempts if a ShopError means that nothing was compared. Use it as the former."""
    try:
        yield
    except ShopError:
        _refund_if_possible(counts)
        raise


def _refund_if_possible(counts: Sequence[Count]) -> None:
    try:
        refund(*counts)
    except DatabaseError as error:
        log.warning("%s stay counted: %s", [limit.name for limit, _ in counts], error)


def reset(*counts: Count, refunded: Sequence[Count] = ()) -> None:
    """Delete the attempts of each pair of limit and subject; take back one of each pair in `refunded`.

    One statement for each, since one for all would lock them in an order of the database's own.
    """
    if len(counts) > 1 or refunded or not is_outermost():
        _reset_together(counts, refunded)
        return
    started = time.monotonic()
    try:
        _reset(counts, ())
    except OperationalError as error:
        # Attempts that are deleted twice are deleted.
        if not has_lost_connection(error, since=started):
            raise
        connection.close()
        _reset_together(counts, ())


# A password was hashed before a success is noted: long enough for the connection to have ended in the
# meantime.
@in_transaction
def _reset_together(counts: Sequence[Count], refunded: Sequence[Count]) -> None:
    _reset(counts, refunded)


def _reset(counts: Sequence[Count], refunded: Sequence[Count]) -> None:
    taken_back = {limit.name for limit, _ in refunded}
    for limit, key in _in_order([*counts, *refunded]):
        mine = RateLimitCounter.objects.filter(limit=limit.name, subject=key)
        if limit.name in taken_back:
            mine.filter(count__gt=0).update(count=F("count") - 1, locked_until=None)
        else:
            mine.update(count=0, locked_until=None)


def refund(*counts: Count) -> None:
    """Take back an attempt that does not count, and the lock that it may have set, for each pair."""
    reset(refunded=counts)


def _in_order(counts: Sequence[Count]) -> list[tuple[RateLimit, str]]:
    return sorted(map(limit_and_key, counts), key=_order)


def limit_and_key(count: Count) -> tuple[RateLimit, str]:
    """Return a limit with what its counter calls the subject."""
    limit, subject = count
    return limit, salted_hmac(f"rate_limits.{limit.name}", subject, algorithm="sha256").hexdigest()


def _order(pair: tuple[RateLimit, str]) -> tuple[timedelta, str, str]:
    # The shortest wait is the one that is answered.
    limit, key = pair
    return limit.window, limit.name, key


def _count_all(counts: Sequence[Count], proven: bool) -> None:
    counted = [_count(limit, key, proven) for limit, key in _in_order(counts)]
    # Only where nothing is locked: there a captcha would be solved for nothing.
    if not all(counted):
        raise ShopError(Err.captcha_required)


def _count(limit: RateLimit, key: str, proven: bool) -> bool:
    """Count one attempt; return False for one that needs a solved captcha, and has none.

    Where it refuses, PostgreSQL has locked the row all the same, so what is read of it then is why.
    """
    now = timezone.now()
    if _add(limit, key, now, proven=proven):
        return True
    latest = now + max(limit.window, limit.lock or limit.window) + SET_BACK
    until = RateLimitCounter.objects.values_list("locked_until", flat=True).get(limit=limit.name, subject=key)
    if until is not None and now < until <= latest:
        raise ShopError(Err.too_frequent, retry_after=math.ceil((until - now).total_seconds()))
    return False


def _add_alone(count: Count) -> bool:
    limit, key = limit_and_key(count)
    return _add(limit, key, timezone.now(), proven=True)


def _add(limit: RateLimit, key: str, now: datetime, *, proven: bool) -> bool:
    """Count one attempt by one statement; return False where it is refused.

    In SQL, since Django's `bulk_create` has no condition for the row that is there.
    """
    ends_at = now + limit.window
    lock_ends_at = None if limit.lock is None else now + limit.lock
    latest = now + max(limit.window, limit.lock or limit.window) + SET_BACK
    values = {
        "limit": limit.name,
        "subject": key,
        "now": _stored(now),
        "ends_at": _stored(ends_at),
        "latest_end": _stored(ends_at + SET_BACK),
        "maximum": limit.maximum,
        "locked_immediately": _stored((lock_ends_at or ends_at) if limit.maximum <= 1 else None),
        "lock_ends_at": _stored(lock_ends_at),
        "latest": _stored(latest),
        "needs_no_proof": proven or limit.free_attempts is None,
        "free_attempts": limit.free_attempts or 0,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, values)
        return bool(cursor.rowcount)


def _stored(time: datetime | None) -> Any:
    """Return a time as the database stores it: SQLite as text."""
    return connection.ops.adapt_datetimefield_value(time)


def delete_expired_counters() -> None:
    """Delete counters whose window and lock ended over a day ago."""
    before = timezone.now() - RETENTION
    unlocked = Q(locked_until=None) | Q(locked_until__lt=before)
    expired = RateLimitCounter.objects.filter(unlocked, window_ends_at__lt=before)
    delete_in_batches(expired)
