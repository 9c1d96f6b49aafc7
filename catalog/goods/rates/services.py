"""What becomes of a rate: fetched ones are judged, staff accept, refuse or set one themselves.

One public function is one transaction, but for `fetch_rate`, which asks the network outside of any.
"""

import logging
from datetime import timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from catalog.goods.models import ExchangeRate
from catalog.goods.rates.sources import Quote, SourceError, ask, configured

log = logging.getLogger(__name__)

# What a day may change the rate by at most; what jumps further waits for staff.
MOST_JUMP = Decimal("0.1")
# The first rate of all is measured by the default, which may be years old.
FIRST_JUMP = Decimal("0.5")
Status = ExchangeRate.Status


# How often a source is asked while all is well.
EVERY = timedelta(hours=6)


class NotWaitingError(Exception):
    """Raised when a rate that staff decide about is not held, or no override is there to be ended."""


def is_due() -> bool:
    """Tell whether no source has told the rate for a while."""
    since = timezone.now() - EVERY
    return not ExchangeRate.objects.filter(is_override=False, fetched_at__gt=since).exists()


def fetch_rate() -> ExchangeRate | None:
    """Ask one source after the other and keep the first rate told; None, with one line logged, if none is."""
    reasons = []
    for name in configured():
        try:
            quote = ask(name)
        except SourceError as error:
            reasons.append(f"{name}: {error}")
        else:
            return keep(quote)
    log.warning("no exchange rate was fetched, the last one holds; %s", "; ".join(reasons) or "no sources")
    return None


@transaction.atomic
def keep(quote: Quote) -> ExchangeRate:
    """Keep what a source told, accepted or held; told again, only the time of fetching is new.

    Locks: nothing; two that keep the same quote at once make one row by its constraint.
    """
    now = timezone.now()
    told = ExchangeRate.objects.filter(is_override=False, source=quote.source, as_of=quote.as_of)
    if not told.filter(rate=quote.rate).update(fetched_at=now):
        status = Status.held if _jumps(quote.rate) else Status.accepted
        fresh = ExchangeRate(
            source=quote.source, as_of=quote.as_of, rate=quote.rate, status=status, fetched_at=now
        )
        ExchangeRate.objects.bulk_create([fresh], ignore_conflicts=True)
        if status == Status.held:
            log.warning("the exchange rate %s of %s is held for staff", quote.rate, quote.source)
    return told.get(rate=quote.rate)


def _jumps(rate: Decimal) -> bool:
    last = ExchangeRate.objects.filter(status=Status.accepted, is_override=False).first()
    if last is None:
        return abs(rate / ExchangeRate.DEFAULT_RATE - 1) > FIRST_JUMP
    return abs(rate / last.rate - 1) > MOST_JUMP


@transaction.atomic
def decide(*, rate_id: int, accept: bool, by: User) -> None:
    """Accept or refuse a held rate; from then on later ones are measured by an accepted one.

    Raises NotWaitingError for one that is not held, or not any more.
    """
    status = Status.accepted if accept else Status.refused
    held = ExchangeRate.objects.filter(pk=rate_id, status=Status.held)
    if not held.update(status=status, decided_by=by, decided_at=timezone.now()):
        raise NotWaitingError


@transaction.atomic
def set_override(*, rate: Decimal, by: User) -> ExchangeRate:
    """Let a rate of staff's own hold until they end it; it takes the place of another one."""
    now = timezone.now()
    _running().update(ended_at=now, ended_by=by)
    return ExchangeRate.objects.create(
        rate=rate, source="staff", as_of=now, is_override=True, decided_by=by, decided_at=now
    )


@transaction.atomic
def end_override(*, by: User) -> None:
    """Let the newest fetched rate hold again. Raises NotWaitingError if there is no override."""
    if not _running().update(ended_at=timezone.now(), ended_by=by):
        raise NotWaitingError


def _running() -> QuerySet[ExchangeRate]:
    return ExchangeRate.objects.filter(is_override=True, ended_at=None)
