"""Counts attempts and refuses those beyond a limit, even if many arrive simultaneously.

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

# Expired counters are deleted after this time.
RETENTION = timedelta(days=1)

# An end that is too far ahead was written before the clock was set back, so it counts as over.
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
    """The maximum number of attempts of one subject in a time window, and the lock after the last one.

    `lock` None: until the window ends. `free_attempts`: number of attempts without a captcha, at least one;
    None: all. Until the window ends, one more attempt is allowed after each lock.
    """

    name: str
    maximum: int
    window: timedelta
    lock: timedelta | None = None
    free_attempts: int | None = None


Count = tuple[RateLimit, str]


@in_callers_transaction
def consume_in_transaction(*counts: Count, proven: bool = True) -> None:
    """Count one attempt for each pair of limit and subject, or for none of them if one limit refuses.

    Call it within the transaction of the counted work, so that a rollback also undoes the count. `proven`:
    True if a captcha was solved. Locks: the counters in a fixed order.
    Raises ShopError(too_frequent) with the seconds to wait, ShopError(captcha_required).
    """
    _count_all(counts, proven)


def consume(*counts: Count) -> None:
    """Count attempts as `consume_in_transaction`, but permanently, for guesses and for long work.

    Attempts are counted beforehand, so that simultaneous ones cannot all pass. If an attempt succeeds, undo
    its count with `reset` or `refund`.
    """
    # Most attempts need one statement and no transaction. Only a refusal needs one, to read its reason.
    if len(counts) > 1 or not is_outermost() or not _add_alone(counts[0]):
        _consume(*counts)


@in_durable_transaction
def _consume(*counts: Count) -> None:
    _count_all(counts, proven=True)


@contextmanager
def refunded_if_busy(*counts: Count) -> Iterator[None]:
    """Refund consumed attempts if the database is busy or unreachable in the block, as the caller must retry.

    A guess may be refunded only after a comparison that found it correct. If the database is still busy, the
    attempts stay counted. Use it outside any transaction.
    """
    try:
        yield
    except Exception as error:
        if refusal_of(error):
            _refund_if_possible(counts)
        raise


@contextmanager
def refunded_if_refused(*counts: Count) -> Iterator[None]:
    """Refund consumed attempts if the block raises ShopError before a comparison; outside any transaction."""
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
    """Reset the count of each pair of limit and subject; undo one attempt of each pair in `refunded`.

    One statement per counter, since a single statement would lock them in an undefined order.
    """
    if len(counts) > 1 or refunded or not is_outermost():
        _reset_together(counts, refunded)
        return
    started = time.monotonic()
    try:
        _reset(counts, ())
    except OperationalError as error:
        # Resetting a counter twice has the same effect, so it is safe to repeat.
        if not has_lost_connection(error, since=started):
            raise
        connection.close()
        _reset_together(counts, ())


# Hashing the password takes time, so the connection may be lost; the transaction then runs again.
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
    """Undo one attempt of each pair of limit and subject, and the lock that it may have set."""
    reset(refunded=counts)


def _in_order(counts: Sequence[Count]) -> list[tuple[RateLimit, str]]:
    return sorted(map(limit_and_key, counts), key=_order)


def limit_and_key(count: Count) -> tuple[RateLimit, str]:
    """Return a limit and the keyed hash by which its counter stores the subject."""
    limit, subject = count
    return limit, salted_hmac(f"rate_limits.{limit.name}", subject, algorithm="sha256").hexdigest()


def _order(pair: tuple[RateLimit, str]) -> tuple[timedelta, str, str]:
    # The limit with the shortest window comes first, so its wait is the one that is returned.
    limit, key = pair
    return limit.window, limit.name, key


def _count_all(counts: Sequence[Count], proven: bool) -> None:
    counted = [_count(limit, key, proven) for limit, key in _in_order(counts)]
    # Raised only after all locks were checked: while one is locked, solving a captcha would not help.
    if not all(counted):
        raise ShopError(Err.captcha_required)


def _count(limit: RateLimit, key: str, proven: bool) -> bool:
    """Count one attempt; return False if it needs a solved captcha and has none.

    PostgreSQL locks the row even if the statement refuses, so the row that is read next shows the reason.
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
    """Count one attempt with one statement; return False if it is refused.

    Raw SQL, since Django's `bulk_create` cannot put a condition on the existing row.
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
    """Return a time in the database's format; SQLite stores text."""
    return connection.ops.adapt_datetimefield_value(time)


def delete_expired_counters() -> None:
    """Delete counters whose window and lock ended more than a day ago."""
    before = timezone.now() - RETENTION
    unlocked = Q(locked_until=None) | Q(locked_until__lt=before)
    expired = RateLimitCounter.objects.filter(unlocked, window_ends_at__lt=before)
    delete_in_batches(expired)
