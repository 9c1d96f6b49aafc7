"""Fetches providers' lists: creates a row for each day, then retries until its lines are fetched."""

import logging
from collections.abc import Iterable, Iterator
from datetime import timedelta
from time import monotonic

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from commerce.payments.providers.base import Provider, Settled, UnavailableError
from commerce.payments.providers.registry import all_providers, provider_named
from commerce.payments.providers.slots import gateway_slot
from commerce.statements.models import MAX_PROVIDER_REF, MAX_REFERENCE, Kind, Statement, StatementLine
from core.batches import short_batches
from core.clock import shop_zone
from core.due_rows import process_due_rows
from core.money import aud

log = logging.getLogger(__name__)

State = Statement.State

# Rows of this many days are created, in case the job has not run for some days.
DAYS_BACK = 7
# Minutes between two tries of one list; the last interval repeats until the list is fetched.
TRY_INTERVALS = (10, 30, 60, 120, 240)
# Limits of one try for one list. The provider limits the size of a page.
MAX_PAGES, MAX_SECONDS = 100, 30
# A list that is not fetched at the start of this day after its own is late.
LATE_AFTER_DAYS = 3


def begin_statements() -> int:
    """Create the missing rows of yesterday and the days before; return how many are new."""
    today = timezone.localdate(timezone=shop_zone())
    wanted = {
        (provider.name, today - timedelta(days=back))
        for provider in all_providers()
        for back in range(1, DAYS_BACK + 1)
    }
    since = today - timedelta(days=DAYS_BACK)
    there = set(Statement.objects.filter(day__gte=since).values_list("provider", "day"))
    now = timezone.now()
    missing = [
        Statement(provider=provider, day=day, next_try_at=now) for provider, day in sorted(wanted - there)
    ]
    # A concurrent run may have created some of them.
    Statement.objects.bulk_create(missing, ignore_conflicts=True)
    return len(missing)


def fetch_statements() -> int:
    """Fetch the lists that are due; return how many were fetched."""
    return process_due_rows("fetch statements", _due().order_by("next_try_at"), _fetch_due)


def late_statements() -> QuerySet[Statement]:
    """Return the lists that are not fetched two days after the end of their day."""
    today = timezone.localdate(timezone=shop_zone())
    return Statement.objects.filter(state=State.waiting, day__lte=today - timedelta(days=LATE_AFTER_DAYS))


def fetch_again(*, statement: Statement) -> None:
    """Make a fetched list due again, so that it is fetched within minutes; its stored lines stay."""
    fetched = Statement.objects.filter(pk=statement.pk, state=State.fetched)
    fetched.update(state=State.waiting, next_try_at=timezone.now(), tries=0, is_compared=False)


def _due() -> QuerySet[Statement]:
    return Statement.objects.filter(state=State.waiting, next_try_at__lte=timezone.now())


def _fetch_due(statement_id: int) -> bool:
    statement = _due().filter(pk=statement_id).first()
    if statement is None:
        return False
    now = timezone.now()
    minutes = TRY_INTERVALS[min(statement.tries, len(TRY_INTERVALS) - 1)]
    # If two jobs run concurrently, the one that changes `next_try_at` fetches.
    mine = Statement.objects.filter(pk=statement.pk, next_try_at=statement.next_try_at).update(
        tries=F("tries") + 1, next_try_at=now + timedelta(minutes=minutes)
    )
    if not mine:
        return False
    try:
        provider = provider_named(statement.provider)
        if provider is None:
            raise UnavailableError("it is not configured")
        for page in _pages(provider, statement):
            _store(statement, page)
    except UnavailableError as error:
        log.warning("the list of %s, %s: not fetched: %s", statement.provider, statement.day, error)
        return False
    waiting = Statement.objects.filter(pk=statement.pk, state=State.waiting)
    return bool(
        waiting.update(
            state=State.fetched,
            next_try_at=None,
            fetched_at=timezone.now(),
            # A comparison that began before staff requested the list again does not cover its new lines.
            is_compared=False,
        )
    )


def _pages(provider: Provider, statement: Statement) -> Iterator[Iterable[Settled]]:
    """Fetch page after page outside any transaction; raises UnavailableError."""
    deadline = monotonic() + MAX_SECONDS
    for page in range(1, MAX_PAGES + 1):
        if monotonic() > deadline:
            raise UnavailableError("the whole list takes too long")
        # Lists have a circuit breaker of their own, so that their failures never block customers' payments.
        with gateway_slot(f"lists of {provider.name}"):
            answer = provider.settled(day=statement.day, page=page)
        yield answer.rows
        if answer.is_last:
            return
    raise UnavailableError("the list has too many pages")


def _store(statement: Statement, rows: Iterable[Settled]) -> None:
    """Store the lines of a page; existing lines stay unchanged."""
    lines = [
        StatementLine(
            statement=statement,
            kind=Kind.refund if row.is_refund else Kind.payment,
            reference=row.reference[:MAX_REFERENCE],
            provider_ref=row.provider_ref[:MAX_PROVIDER_REF],
            amount=aud(row.amount),
            currency=row.currency[:3],
            at=row.at,
        )
        for row in rows
    ]
    for batch in short_batches(lines):
        with transaction.atomic():
            StatementLine.objects.bulk_create(batch, ignore_conflicts=True)
