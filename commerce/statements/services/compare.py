"""Compares providers' lists with the shop's books, both ways (docs/guarantees/money.md#providers-lists)."""

import logging
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import UnavailableError
from commerce.payments.services import refresh_payment
from commerce.statements.models import Kind, Statement, StatementDifference, StatementLine
from commerce.statements.purging import LINE_RETENTION
from commerce.statements.services.match import match_lines
from core.clock import shop_zone
from core.due_rows import process_due_rows
from core.transactions import in_transaction

log = logging.getLogger(__name__)

Reason, State = StatementDifference.Reason, StatementDifference.State

# Margin before deletion, so that the neighbouring days' lists still have their lines in every time zone.
DAYS_BEFORE_DELETION = timedelta(days=3)
# The limit of one run for polling payments that only a provider reports as paid.
MAX_SECONDS_OF_QUESTIONS = 20


def compare_statements() -> int:
    """Compare the fetched lists that were not compared both ways, or have open differences.

    Call it outside any transaction, since it polls providers about payments that only they report as paid. A
    list whose lines will soon be deleted is not compared. Returns how many lists were compared.
    """
    since = timezone.localdate(timezone=shop_zone()) - LINE_RETENTION + DAYS_BEFORE_DELETION
    is_open = StatementDifference.objects.filter(statement=OuterRef("pk"), state=State.open)
    fetched = Statement.objects.filter(state=Statement.State.fetched, day__gte=since)
    due = fetched.filter(Q(is_compared=False) | Exists(is_open))
    return process_due_rows("compare statements", due.order_by("day", "provider"), _compare)


def _compare(statement_id: int) -> None:
    statement = Statement.objects.get(pk=statement_id)
    match_lines(statement)
    _ask_about_unpaid(statement)
    _note(statement)


def _ask_about_unpaid(statement: Statement) -> None:
    """Poll the provider for listed payments that the shop does not have as paid; its answer settles them."""
    unpaid = Payment.objects.filter(
        Exists(statement.lines.filter(payment=OuterRef("pk"))), ~Q(state=Payment.State.paid)
    )
    process_due_rows(
        "ask about listed payments", unpaid.order_by("pk"), _ask, seconds=MAX_SECONDS_OF_QUESTIONS
    )


def _ask(payment_id: int) -> None:
    payment = Payment.objects.get(pk=payment_id)
    try:
        refresh_payment(payment=payment)
    except UnavailableError:
        log.warning("payment %s: the provider could not be asked", payment.reference)


@in_transaction
def _note(statement: Statement) -> None:
    """Store the current differences, and resolve those that no longer exist. Locks: the statement's row."""
    locked = Statement.objects.select_for_update(no_key=True).get(pk=statement.pk)
    has_after = _is_fetched(locked, days=1)
    found = {_key(each): each for each in _differences(locked, has_after=has_after)}
    known = {_key(each): each for each in locked.differences.all()}
    new = [each for key, each in found.items() if key not in known]
    StatementDifference.objects.bulk_create(new)
    again = [row.pk for key, row in known.items() if key in found]
    rows = StatementDifference.objects.all()
    rows.filter(pk__in=again, state=State.gone).update(state=State.open, closed_at=None)
    gone = [row.pk for key, row in known.items() if key not in found]
    # A difference that staff have ticked off in the meantime keeps its state.
    rows.filter(pk__in=gone, state=State.open).update(state=State.gone, closed_at=timezone.now())
    Statement.objects.filter(pk=locked.pk).update(is_compared=has_after)
    if new:
        log.error("the list of %s, %s: %d new differences", locked.provider, locked.day, len(new))


def _key(difference: StatementDifference) -> tuple[str, str, str, str]:
    return difference.reason, difference.kind, difference.reference, difference.provider_ref


def _is_fetched(statement: Statement, *, days: int) -> bool:
    """Return True if the provider's list of that many days later is fetched."""
    other = Statement.objects.filter(provider=statement.provider, day=statement.day + timedelta(days=days))
    return other.filter(state=Statement.State.fetched).exists()


def _differences(statement: Statement, *, has_after: bool) -> Iterator[StatementDifference]:
    yield from _of_lines(statement, Reason.only_there, _ours().exclude(_is_known()))
    is_as_ours = Q(amount=F("our_amount"), currency=F("our_currency"))
    yield from _of_lines(statement, Reason.amount, _ours().filter(_is_known()).exclude(is_as_ours))
    yield from _of_lines(statement, Reason.twice, _ours().filter(_is_repeated()))
    # A payment around midnight may be in the list of the day before or after.
    if has_after and _is_fetched(statement, days=-1):
        yield from _only_here(statement)


def _ours() -> QuerySet[Any]:
    """Return lines annotated with the amount and currency in the shop's books, null if unknown."""
    currency = Case(
        When(payment__received_amount__isnull=False, then="payment__received_currency"),
        default=Coalesce("payment__currency", "refund__currency"),
    )
    amount = Coalesce("payment__received_amount", "payment__amount", "refund__amount")
    return StatementLine.objects.annotate(our_amount=amount, our_currency=currency)


def _is_known() -> Q:
    """Return the filter for lines that the shop has as paid or refunded; a sending refund may be listed."""
    is_paid = Q(payment__isnull=False, payment__state=Payment.State.paid)
    is_back = Q(refund__isnull=False, refund__state__in=[Refund.State.sending, Refund.State.done])
    return is_paid | (is_back & _is_from_provider("refund__"))


def _is_from_provider(prefix: str = "") -> Q:
    """Return the filter for refunds by the provider: not taken by a bank, nor paid back by hand.

    A refund that the provider has refused is excluded too. `prefix`: the prefix of the refund's path.
    """
    return Q((f"{prefix}sent_at__isnull", False), (f"{prefix}detail", ""))


def _is_repeated() -> Q:
    earlier = StatementLine.objects.filter(pk__lt=OuterRef("pk")).exclude(
        provider_ref=OuterRef("provider_ref")
    )
    of_payment = Exists(earlier.filter(payment=OuterRef("payment")))
    return Q(of_payment) | Q(Exists(earlier.filter(refund=OuterRef("refund"))))


def _of_lines(
    statement: Statement, reason: StatementDifference.Reason, lines: QuerySet[Any]
) -> Iterator[StatementDifference]:
    for line in lines.filter(statement=statement).order_by("pk"):
        has_ours = reason != Reason.only_there
        yield StatementDifference(
            statement=statement,
            reason=reason,
            kind=line.kind,
            reference=line.reference,
            provider_ref=line.provider_ref,
            payment_id=line.payment_id,
            refund_id=line.refund_id,
            their_amount=line.amount,
            their_currency=line.currency,
            our_amount=line.our_amount if has_ours else None,
            our_currency=line.our_currency if has_ours else "",
        )


def _only_here(statement: Statement) -> Iterator[StatementDifference]:
    start = datetime.combine(statement.day, time(), shop_zone())
    end = datetime.combine(statement.day + timedelta(days=1), time(), shop_zone())
    of_day = Q(settled_at__gte=start, settled_at__lt=end)
    payments = Payment.objects.filter(
        of_day,
        ~Exists(StatementLine.objects.filter(payment=OuterRef("pk"))),
        provider=statement.provider,
        state=Payment.State.paid,
    )
    for payment in payments.order_by("pk"):
        amount, currency = payment.collected
        yield StatementDifference(
            statement=statement,
            reason=Reason.only_here,
            kind=Kind.payment,
            reference=payment.reference,
            payment=payment,
            our_amount=amount,
            our_currency=currency,
        )
    refunds = Refund.objects.filter(
        of_day,
        _is_from_provider(),
        ~Exists(StatementLine.objects.filter(refund=OuterRef("pk"))),
        payment__provider=statement.provider,
        to=Refund.To.source,
        state=Refund.State.done,
    )
    for refund in refunds.order_by("pk"):
        yield StatementDifference(
            statement=statement,
            reason=Reason.only_here,
            kind=Kind.refund,
            reference=refund.reference,
            refund=refund,
            our_amount=refund.amount,
            our_currency=refund.currency,
        )
