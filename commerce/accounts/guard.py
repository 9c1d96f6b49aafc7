"""Counts attempts and refuses those beyond a limit, however many come at once (RELIABILITY 3.22, 3.24)."""

import math
from dataclasses import dataclass
from datetime import timedelta

from django.db import models, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.crypto import salted_hmac

from commerce.accounts.models import Tally
from core.errors import Err, ShopError


@dataclass(frozen=True)
class Limit:
    """How many attempts one subject has within a window, and for how long there are none after the last.

    `lock` None: until the window ends. `unproven`: how many attempts need no solved captcha; None: all.
    While the window lasts, one attempt is left after each lock.
    """

    name: str
    most: int
    window: timedelta
    lock: timedelta | None = None
    unproven: int | None = None


Count = tuple[Limit, str]


@transaction.atomic(durable=True)
def attempt(*counts: Count, proven: bool = True) -> None:
    """Count one attempt for each pair of limit and subject, or for none of them when one refuses.

    It is counted before it is made, so that simultaneous ones cannot all pass; take a good one back with
    `forgive` or `give_back`. `proven`: a captcha was solved for it. Locks: the tallies in a fixed order.
    Raises ShopError(too_frequent) with the seconds to wait, ShopError(captcha_required).
    """
    for limit, key in sorted((limit_and_key(count) for count in counts), key=lambda pair: pair[1]):
        _count(limit, key, proven)


def forgive(*counts: Count) -> None:
    """Forget the attempts of each pair of limit and subject."""
    for limit, key in map(limit_and_key, counts):
        Tally.objects.filter(limit=limit.name, subject=key).update(count=0, locked_until=None)


def give_back(limit: Limit, subject: str) -> None:
    """Take one attempt back that was none, and the lock that it may have set."""
    _, key = limit_and_key((limit, subject))
    Tally.objects.filter(limit=limit.name, subject=key, count__gt=0).update(
        count=F("count") - 1, locked_until=None
    )


def limit_and_key(count: Count) -> tuple[Limit, str]:
    """Return a limit with what its tally calls the subject."""
    limit, subject = count
    return limit, salted_hmac(f"accounts.guard.{limit.name}", subject, algorithm="sha256").hexdigest()


def _count(limit: Limit, key: str, proven: bool) -> None:
    now = timezone.now()
    ends_at = now + limit.window
    fresh = Tally(limit=limit.name, subject=key, window_ends_at=ends_at)
    Tally.objects.bulk_create([fresh], ignore_conflicts=True)
    mine = Tally.objects.filter(limit=limit.name, subject=key)
    mine.filter(window_ends_at__lte=now).update(count=0, window_ends_at=ends_at)
    allowed = mine.filter(Q(locked_until=None) | Q(locked_until__lte=now))
    if limit.unproven is not None and not proven:
        allowed = allowed.filter(count__lt=limit.unproven)
    locked_until = F("window_ends_at") if limit.lock is None else Value(now + limit.lock)
    counted = allowed.update(
        count=F("count") + 1,
        locked_until=Case(
            When(count__gte=limit.most - 1, then=locked_until), output_field=models.DateTimeField()
        ),
    )
    if counted:
        return
    until = mine.values_list("locked_until", flat=True).first()
    if until is not None and until > now:
        raise ShopError(Err.too_frequent, retry_after=math.ceil((until - now).total_seconds()))
    raise ShopError(Err.captcha_required)
