"""Fetches providers' lists: a row for each day first, then its lines, again and again until it is there."""

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

# A row that a task of some days has not made is made later.
DAYS_BACK = 7
# Minutes between two tries of one list; the last interval repeats until it is there.
TRY_INTERVALS = (10, 30, 60, 120, 240)
# Of one list and one try. A page's own limit is the provider's.
MAX_PAGES, MAX_SECONDS = 100, 30
# Days after its own by whose beginning a list should be there.
LATE_AFTER_DAYS = 3


def begin_statements() -> int:
    """Make the rows of yesterday, and of the days before that have none; returns how many are new."""
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
    # Another run may have made some of them in the meantime.
    Statement.objects.bulk_create(missing, ignore_conflicts=True)
    return len(missing)


def fetch_statements() -> int:
    """Fetch the lists whose time has come; returns how many are there now."""
    return process_due_rows("fetch statements", _due().order_by("next_try_at"), _fetch_due)


def late_statements() -> QuerySet[Statement]:
    """Return the lists that are not there two days after their day has ended."""
    today = timezone.localdate(timezone=shop_zone())
    return Statement.objects.filter(state=State.waiting, day__lte=today - timedelta(days=LATE_AFTER_DAYS))


def fetch_again(*, statement: Statement) -> None:
    """Let a list be fetched once more within minutes; what was read of it stays."""
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
    # Two jobs may meet; the one that moves the time on fetches.
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
            # A comparison that began before staff let it be fetched again does not cover new lines.
            is_compared=False,
        )
    )


def _pages(provider: Provider, statement: Statement) -> Iterator[Iterable[Settled]]:
    """Ask for each page, outside any transaction; raises UnavailableError."""
    deadline = monotonic() + MAX_SECONDS
    for page in range(1, MAX_PAGES + 1):
        if monotonic() > deadline:
            raise UnavailableError("the whole list takes too long")
        # A breaker of its own: lists that fail keep no customer from paying.
        with gateway_slot(f"lists of {provider.name}"):
            answer = provider.settled(day=statement.day, page=page)
        yield answer.rows
        if answer.is_last:
            return
    raise UnavailableError("the list has too many pages")


def _store(statement: Statement, rows: Iterable[Settled]) -> None:
    """Write the lines of a page; those that are there stay as they are."""
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
