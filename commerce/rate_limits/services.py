"""Counts attempts and refuses those beyond a limit, however many come at once.

See docs/guarantees.md#passwords.
"""

import logging
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import DatabaseError, models, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.crypto import salted_hmac

from commerce.rate_limits.models import RateLimitCounter
from core.clock import SET_BACK
from core.database_errors import refusal_of
from core.errors import Err, ShopError
from core.sweeps import delete_in_batches
from core.transactions import in_durable_transaction, in_transaction

log = logging.getLogger(__name__)

# Expired counters are stored so long.
RETENTION = timedelta(days=1)


@dataclass(frozen=True)
class RateLimit:
    """How many attempts one subject has within a window, and for how long there are none after the last.

    `lock` None: until the window ends. `free_attempts`: how many attempts need no solved captcha; None: all.
    While the window lasts, one attempt is left after each lock.
    """

    name: str
    maximum: int
    window: timedelta
    lock: timedelta | None = None
    free_attempts: int | None = None


Count = tuple[RateLimit, str]


@transaction.atomic
def consume_in_transaction(*counts: Count, proven: bool = True) -> None:
    """Count one attempt for each pair of limit and subject, or for none of them when one refuses.

    Call it within the transaction that does what is counted: what is undone does not count. `proven`: a
    captcha was solved for it. Locks: the counters in a fixed order.
    Raises ShopError(too_frequent) with the seconds to wait, ShopError(captcha_required).
    """
    _count_all(counts, proven)


@in_durable_transaction
def consume(*counts: Count) -> None:
    """As `consume_in_transaction`, for what counts whatever becomes of it: guesses, and what takes long.

    It is counted beforehand, so that simultaneous ones cannot all pass; take a successful one back with
    `reset` or `refund`.
    """
    _count_all(counts, proven=True)


@contextmanager
def refunded_if_busy(*counts: Count) -> Iterator[None]:
    """Refund consumed attempts where the database refuses what follows: the caller is told to come again.

    A guess may be refunded once it was compared and is right, never before. An attempt stays counted where
    the database is still busy. Use it outside any transaction.
    """
    try:
        yield
    except Exception as error:
        if refusal_of(error):
            _refund_if_possible(counts)
        raise


def _refund_if_possible(counts: Sequence[Count]) -> None:
    try:
        refund(*counts)
    except DatabaseError as error:
        log.warning("%s stay counted: %s", [limit.name for limit, _ in counts], error)


# A password was hashed before a success is noted: long enough for the connection to have ended meanwhile.
@in_transaction
def reset(*counts: Count) -> None:
    """Delete the attempts of each pair of limit and subject."""
    for limit, key in _in_order(counts):
        RateLimitCounter.objects.filter(limit=limit.name, subject=key).update(count=0, locked_until=None)


@in_transaction
def refund(*counts: Count) -> None:
    """Take back an attempt that does not count, and the lock that it may have set, for each pair."""
    for limit, key in _in_order(counts):
        RateLimitCounter.objects.filter(limit=limit.name, subject=key, count__gt=0).update(
            count=F("count") - 1, locked_until=None
        )


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
    """Count one attempt; return False for one that needs a solved captcha, and has none."""
    now = timezone.now()
    ends_at = now + limit.window
    fresh = RateLimitCounter(limit=limit.name, subject=key, window_ends_at=ends_at)
    RateLimitCounter.objects.bulk_create([fresh], ignore_conflicts=True)
    mine = RateLimitCounter.objects.filter(limit=limit.name, subject=key)
    # What ends too late was written before the clock was set back: nobody waits for that too.
    is_over = Q(window_ends_at__lte=now) | Q(window_ends_at__gt=ends_at + SET_BACK)
    mine.filter(is_over).update(count=0, window_ends_at=ends_at)
    latest = now + max(limit.window, limit.lock or limit.window) + SET_BACK
    allowed = mine.filter(Q(locked_until=None) | Q(locked_until__lte=now) | Q(locked_until__gt=latest))
    if limit.free_attempts is not None and not proven:
        allowed = allowed.filter(count__lt=limit.free_attempts)
    locked_until = F("window_ends_at") if limit.lock is None else Value(now + limit.lock)
    counted = allowed.update(
        count=F("count") + 1,
        locked_until=Case(
            When(count__gte=limit.maximum - 1, then=locked_until), output_field=models.DateTimeField()
        ),
    )
    if counted:
        return True
    until = mine.values_list("locked_until", flat=True).first()
    if until is not None and until > now:
        raise ShopError(Err.too_frequent, retry_after=math.ceil((until - now).total_seconds()))
    if limit.free_attempts is not None and not proven:
        return False
    # It was locked a moment ago, and somebody's success has unlocked it since.
    raise ShopError(Err.too_frequent, retry_after=1)


def delete_expired_counters() -> None:
    """Delete counters whose window and lock ended over a day ago."""
    before = timezone.now() - RETENTION
    unlocked = Q(locked_until=None) | Q(locked_until__lt=before)
    expired = RateLimitCounter.objects.filter(unlocked, window_ends_at__lt=before)
    delete_in_batches(expired)
