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
from functools import cache
from typing import Any

from django.db import DatabaseError, OperationalError, connection
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from commerce.rate_limits.models import RateLimitCounter
from core.client import networks_around
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
VALUES {{rows}}
ON CONFLICT ("limit", subject) DO UPDATE SET
    count = CASE WHEN {_IS_OVER} THEN 1 ELSE counter.count + 1 END,
    window_ends_at = CASE WHEN {_IS_OVER} THEN excluded.window_ends_at ELSE counter.window_ends_at END,
    locked_until = CASE
        WHEN {_IS_OVER} THEN excluded.locked_until
        WHEN counter.count + 1 >= {{maximum}} THEN COALESCE(%(lock_ends_at)s, counter.window_ends_at)
    END
WHERE {_IS_UNLOCKED} AND (%(needs_no_proof)s OR {_IS_OVER} OR counter.count < {{free_attempts}})
"""  # noqa: S608  no value is in it
# The limit of an IPv6 network is this many times the limit of the next narrower one.
GROWTH = 4


@dataclass(frozen=True)
class RateLimit:
    """The maximum number of attempts of one subject in a time window, and the lock after the last one.

    `lock` None: until the window ends. `free_attempts`: number of attempts without a captcha, at least one;
    None: all. Until the window ends, one more attempt is allowed after each lock. `by_network`: the last word
    of the subject is a network as `client_network` returns it. An IPv6 client then counts in each of
    `networks_around`, whose maximum and free attempts grow by GROWTH.
    """

    name: str
    maximum: int
    window: timedelta
    lock: timedelta | None = None
    free_attempts: int | None = None
    by_network: bool = False


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
    if not _is_one_statement(counts) or not _add(*limit_and_keys(counts[0]), timezone.now(), proven=True):
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
    if refunded or not _is_one_statement(counts):
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
    for limit, keys in _in_order([*counts, *refunded]):
        for key in keys:
            mine = RateLimitCounter.objects.filter(limit=limit.name, subject=key)
            if limit.name in taken_back:
                mine.filter(count__gt=0).update(count=F("count") - 1, locked_until=None)
            else:
                mine.update(count=0, locked_until=None)


def refund(*counts: Count) -> None:
    """Undo one attempt of each pair of limit and subject, and the lock that it may have set."""
    reset(refunded=counts)


def _is_one_statement(counts: Sequence[Count]) -> bool:
    """Return True if there is one counter to change, outside any transaction."""
    return is_outermost() and len(counts) == len(limit_and_keys(counts[0])[1]) == 1


def _in_order(counts: Sequence[Count]) -> list[tuple[RateLimit, list[str]]]:
    return sorted(map(limit_and_keys, counts), key=_order)


def limit_and_keys(count: Count) -> tuple[RateLimit, list[str]]:
    """Return a limit and the keyed hashes by which its counters store the subject.

    There is one hash, or one for each network of an IPv6 client, the narrowest first. All callers lock the
    counters in this order.
    """
    limit, subject = count
    subjects = [subject]
    if limit.by_network:
        rest, space, network = subject.rpartition(" ")
        subjects = [f"{rest}{space}{around}" for around in networks_around(network)]
    salt = f"rate_limits.{limit.name}"
    return limit, [salted_hmac(salt, each, algorithm="sha256").hexdigest() for each in subjects]


def _order(pair: tuple[RateLimit, list[str]]) -> tuple[timedelta, str, list[str]]:
    # The limit with the shortest window comes first, so its wait is the one that is returned.
    limit, keys = pair
    return limit.window, limit.name, keys


def _count_all(counts: Sequence[Count], proven: bool) -> None:
    counted = [_count(limit, keys, proven) for limit, keys in _in_order(counts)]
    # Raised only after all locks were checked: while one is locked, solving a captcha would not help.
    if not all(counted):
        raise ShopError(Err.captcha_required)


def _count(limit: RateLimit, keys: list[str], proven: bool) -> bool:
    """Count one attempt; return False if it needs a solved captcha and has none.

    PostgreSQL locks the rows even if the statement refuses, so the rows that are read next show the reason.
    """
    now = timezone.now()
    if _add(limit, keys, now, proven=proven):
        return True
    latest = now + max(limit.window, limit.lock or limit.window) + SET_BACK
    mine = RateLimitCounter.objects.filter(limit=limit.name, subject__in=keys, locked_until__gt=now)
    until = mine.filter(locked_until__lte=latest).aggregate(latest=Max("locked_until"))["latest"]
    if until is not None:
        raise ShopError(Err.too_frequent, retry_after=math.ceil((until - now).total_seconds()))
    return False


def _add(limit: RateLimit, keys: list[str], now: datetime, *, proven: bool) -> bool:
    """Count one attempt in all counters with one statement; return False if one of them refuses.

    The caller must then roll back, since the other counters have counted it. Raw SQL, since Django's
    `bulk_create` cannot put a condition on the existing row.
    """
    ends_at = now + limit.window
    lock_ends_at = None if limit.lock is None else now + limit.lock
    latest = now + max(limit.window, limit.lock or limit.window) + SET_BACK
    values: dict[str, Any] = {
        "limit": limit.name,
        "now": _stored(now),
        "ends_at": _stored(ends_at),
        "latest_end": _stored(ends_at + SET_BACK),
        "lock_ends_at": _stored(lock_ends_at),
        "latest": _stored(latest),
        "needs_no_proof": proven or limit.free_attempts is None,
    }
    for level, key in enumerate(keys):
        maximum = limit.maximum * GROWTH**level
        values |= {
            f"key{level}": key,
            f"maximum{level}": maximum,
            f"free_attempts{level}": (limit.free_attempts or 0) * GROWTH**level,
            f"locked{level}": _stored((lock_ends_at or ends_at) if maximum <= 1 else None),
        }
    with connection.cursor() as cursor:
        cursor.execute(_statement(len(keys)), values)
        return bool(cursor.rowcount == len(keys))


@cache
def _statement(levels: int) -> str:
    """Return the statement that counts in this many counters, whose rows it locks in their order."""

    def of_level(name: str) -> str:
        cases = " ".join(f"WHEN %(key{level})s THEN %({name}{level})s" for level in range(levels))
        return f"CASE excluded.subject {cases} END"

    row = "(%(limit)s, %(key{0})s, 1, %(ends_at)s, %(locked{0})s)"
    return _COUNT.format(
        rows=", ".join(row.format(level) for level in range(levels)),
        maximum=of_level("maximum"),
        free_attempts=of_level("free_attempts"),
    )


def _stored(time: datetime | None) -> Any:
    """Return a time in the database's format; SQLite stores text."""
    return connection.ops.adapt_datetimefield_value(time)


def delete_expired_counters() -> None:
    """Delete counters whose window and lock ended more than a day ago."""
    before = timezone.now() - RETENTION
    unlocked = Q(locked_until=None) | Q(locked_until__lt=before)
    expired = RateLimitCounter.objects.filter(unlocked, window_ends_at__lt=before)
    delete_in_batches(expired)
