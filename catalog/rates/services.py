"""Fetch exchange rates and hold large changes; staff accept, refuse or set a rate.

Each public function is one transaction, except `fetch_rate`, which uses the network outside any transaction.
"""

import logging
from datetime import timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from catalog.rates.current import forget_rate
from catalog.rates.models import ExchangeRate
from catalog.rates.sources import Quote, SourceError, ask, configured

log = logging.getLogger(__name__)

# The largest relative change of the rate that does not need a decision by staff.
MAX_JUMP = Decimal("0.1")
# The first rate is compared with the default, which may be years old.
FIRST_JUMP = Decimal("0.5")
Status = ExchangeRate.Status


# The interval between two successful fetches.
EVERY = timedelta(hours=6)


class NotWaitingError(Exception):
    """Raised if the rate is not held, if there is no override to end, or if staff set another one."""


def is_due() -> bool:
    """Return True if it is time to fetch the rate."""
    since = timezone.now() - EVERY
    return not ExchangeRate.objects.filter(is_override=False, fetched_at__gt=since).exists()


def fetch_rate() -> ExchangeRate | None:
    """Try the sources in order and store the first rate; return None and log a warning if all fail."""
    reasons = []
    for name in configured():
        try:
            quote = ask(name)
        except SourceError as error:
            reasons.append(f"{name}: {error}")
        except Exception:
            log.exception("the exchange rate of %s cannot be read", name)
            reasons.append(f"{name}: unreadable")
        else:
            return keep(quote)
    log.warning("no exchange rate was fetched, the last one holds; %s", "; ".join(reasons) or "no sources")
    return None


@transaction.atomic
def keep(quote: Quote) -> ExchangeRate:
    """Store a source's rate as accepted or held; for a known rate update only the time of fetching.

    Locks nothing: a constraint makes two stores of the same quote one row.
    """
    now = timezone.now()
    known = ExchangeRate.objects.filter(is_override=False, source=quote.source, as_of=quote.as_of)
    if not known.filter(rate=quote.rate).update(fetched_at=now):
        status = Status.held if _jumps(quote.rate) else Status.accepted
        fresh = ExchangeRate(
            source=quote.source, as_of=quote.as_of, rate=quote.rate, status=status, fetched_at=now
        )
        ExchangeRate.objects.bulk_create([fresh], ignore_conflicts=True)
        if status == Status.held:
            log.warning("the exchange rate %s of %s is held for staff", quote.rate, quote.source)
    forget_rate()
    return known.get(rate=quote.rate)


def _jumps(rate: Decimal) -> bool:
    last = ExchangeRate.objects.filter(status=Status.accepted, is_override=False).first()
    if last is None:
        return abs(rate / ExchangeRate.DEFAULT_RATE - 1) > FIRST_JUMP
    return abs(rate / last.rate - 1) > MAX_JUMP


@transaction.atomic
def decide(*, rate_id: int, accept: bool, by: User) -> None:
    """Accept or refuse a held rate. Later rates are compared with the newest accepted rate.

    Raises NotWaitingError if the rate is no longer held.
    """
    status = Status.accepted if accept else Status.refused
    held = ExchangeRate.objects.filter(pk=rate_id, status=Status.held)
    if not held.update(status=status, decided_by=by, decided_at=timezone.now()):
        raise NotWaitingError
    forget_rate()


@transaction.atomic
def set_override(*, rate: Decimal, by: User) -> ExchangeRate:
    """Set a rate that applies until staff end it. It replaces an earlier override with another rate.

    Raises NotWaitingError if another member of staff sets a rate concurrently.
    """
    if same := _running().filter(rate=rate).first():
        return same
    now = timezone.now()
    # A concurrent request may have set the same rate; that row stays.
    _running().exclude(rate=rate).update(ended_at=now, ended_by=by)
    override = ExchangeRate(
        rate=rate, source="staff", as_of=now, is_override=True, decided_by=by, decided_at=now
    )
    ExchangeRate.objects.bulk_create([override], ignore_conflicts=True)
    forget_rate()
    in_force = _running().first()
    if in_force is None or in_force.rate != rate:
        raise NotWaitingError
    return in_force


@transaction.atomic
def end_override(*, by: User) -> None:
    """Return to the newest fetched rate. Raises NotWaitingError if there is no override."""
    if not _running().update(ended_at=timezone.now(), ended_by=by):
        raise NotWaitingError
    forget_rate()


def _running() -> QuerySet[ExchangeRate]:
    return ExchangeRate.objects.filter(is_override=True, ended_at=None)
