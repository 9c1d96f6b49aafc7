"""Asks providers about payments: after a hint, when a customer looks, and by the scheduler."""

import logging
from datetime import datetime, timedelta
from time import monotonic

from django.db.models import DateTimeField, Q, QuerySet, Value
from django.db.models.functions import Least
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.orders.models import Order
from commerce.orders.services import find_order
from commerce.orders.status import OrderStatus, is_paid
from commerce.payments.models import Payment, PaymentEvent, Recharge
from commerce.payments.providers.base import Outcome, UnavailableError
from commerce.payments.providers.registry import provider_named
from commerce.payments.providers.slots import gateway_slot
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.services.polling import ASKED_WITHIN, claim_poll
from commerce.payments.services.settle import settle
from core.due_rows import process_due_rows
from core.ids import may_be_number

log = logging.getLogger(__name__)

# An open payment that has no outcome by then is shown to staff, and asked about all the same.
OVERDUE_AFTER = timedelta(hours=25)
# A provider may let a customer try again after a failure.
ASK_FAILED_FOR = timedelta(hours=25)
# By then `start` has ended or was called again, so a payment the provider does not know is none.
UNKNOWN_FAILS_AFTER = timedelta(hours=1)

# A customer waits for the answers: the last question begins within this time, and takes six seconds at most.
MAX_PER_LOOK = 5
MAX_SECONDS_PER_LOOK = 1
# Between two questions that looks at one payment ask. The longest one collects as well: it begins a second
# after its look, waits a moment for a slot and takes six seconds. So one payment occupies one slot of the
# gateways, however often a customer looks.
LOOK_INTERVAL = timedelta(seconds=8)
LOOK_INTERVAL_OF_FAILED = timedelta(minutes=1)


def refresh_payment(*, payment: Payment) -> None:
    """Ask a payment's provider about it and apply the answer.

    Call it outside any transaction. Raises UnavailableError.
    """
    provider = provider_named(payment.provider)
    if provider is None:
        raise UnavailableError(payment.provider)
    asked_at = timezone.now()
    may_collect = _may_collect(payment)
    with gateway_slot(provider.name):
        answer = provider.query(payment=payment, may_collect=may_collect)
    settle(payment=payment, outcome=answer or _outcome_of_unknown(payment))
    if answer and answer.state == Payment.State.failed:
        # An answer does not cover what was reported after the poll.
        reports = PaymentEvent.objects.filter(payment=payment, reports_paid=True, created_at__lte=asked_at)
        reports.filter(denied_at=None).update(denied_at=asked_at)


def _may_collect(payment: Payment) -> bool:
    """Return True if its money would be taken now, as far as can be known before it is collected."""
    if payment.recharge_id is not None:
        return True
    order = Order.objects.get(payments=payment)
    return order.status == OrderStatus.unpaid and payment.amount <= left_to_pay(order)


def _outcome_of_unknown(payment: Payment) -> Outcome:
    has_begun = payment.created_at <= timezone.now() - UNKNOWN_FAILS_AFTER
    state = Payment.State.failed if has_begun else Payment.State.pending
    return Outcome(state, payment.reference, payment.amount, payment.currency)


def refresh_recharge(*, customer: Customer, number: str) -> Recharge | None:
    """Return a customer's top-up after asking about its payments; None for a number that is none.

    Call it outside any transaction.
    """
    recharge = customer.recharges.filter(number=number).first() if may_be_number(number) else None
    if recharge is not None:
        refresh_for_customer(payments=recharge.payments.all())
    return recharge


def refresh_order(*, customer: Customer, order_no: str) -> Order:
    """Return a customer's order as it is after asking about its payments (docs/wire.md#payresult).

    A paid order is not asked about. Call it outside any transaction. Raises ShopError(order_not_found).
    """
    order = find_order(customer=customer, order_no=order_no)
    if not is_paid(order.status):
        refresh_for_customer(payments=order.payments.all())
        order.refresh_from_db()
    return order


def refresh_for_customer(*, payments: QuerySet[Payment], has_returned: bool = False) -> None:
    """Ask about those payments that may still hold money, while a customer waits: five, in a second.

    Open ones come first. An open one is asked about once in eight seconds, a failed one once a minute, or in
    eight seconds where the customer `has_returned` from it, maybe after paying at another try. A provider
    that cannot be asked is skipped, and the next look may ask; one that hangs is asked once. Call it outside
    any transaction.
    """
    now, start = timezone.now(), monotonic()
    failed_interval = LOOK_INTERVAL if has_returned else LOOK_INTERVAL_OF_FAILED
    asked_lately = Q(queried_at__gt=now - LOOK_INTERVAL)
    asked_lately |= Q(state=Payment.State.failed, queried_at__gt=now - failed_interval)
    asked = payments.filter(next_query_at__isnull=False).exclude(asked_lately)
    # By their names, pending ones come before failed ones.
    for payment in asked.order_by("-state", "-id")[:MAX_PER_LOOK]:
        if monotonic() - start >= MAX_SECONDS_PER_LOOK:
            return
        try:
            if _claim_look(payment, now):
                _look(payment, now)
        except UnavailableError:
            log.info("payment %s: the provider could not be asked", payment.reference)


def _look(payment: Payment, now: datetime) -> None:
    try:
        refresh_payment(payment=payment)
    except Exception:
        # Nothing was learned, so the next look may ask.
        Payment.objects.filter(pk=payment.pk, queried_at=now).update(queried_at=payment.queried_at)
        raise


def _claim_look(payment: Payment, now: datetime) -> bool:
    # If two workers poll concurrently, the one that sets the time polls; if it is killed, the scheduler polls
    # soon.
    mine = Payment.objects.filter(pk=payment.pk, queried_at=payment.queried_at, next_query_at__isnull=False)
    soon = Value(now + ASKED_WITHIN, DateTimeField())
    return bool(mine.update(queried_at=now, next_query_at=Least("next_query_at", soon)))


def query_open_payments() -> int:
    """Ask about every payment that is due, at growing intervals; returns how many were asked about.

    An open payment is asked about until its provider answers, a failed one for 25 hours after its failure.
    """
    return process_due_rows("query payments", _due().order_by("next_query_at"), _query_due)


def _due() -> QuerySet[Payment]:
    return Payment.objects.filter(next_query_at__lte=timezone.now())


def _query_due(payment_id: int) -> bool:
    payment = _due().filter(pk=payment_id).first()
    if payment is None:
        return False
    now = timezone.now()
    # Two jobs may meet. Once it is paid, there is no time to move.
    with claim_poll(payment, now, queried_at=now) as mine:
        if mine:
            _ask(payment, now)
    return mine


def _ask(payment: Payment, now: datetime) -> None:
    try:
        refresh_payment(payment=payment)
        failed = Payment.objects.filter(pk=payment.pk, state=Payment.State.failed)
        failed.filter(settled_at__lte=now - ASK_FAILED_FOR).update(next_query_at=None)
    except UnavailableError:
        log.warning("payment %s: the provider could not be asked", payment.reference)
    finally:
        _note_overdue(payment, now)


def _note_overdue(payment: Payment, now: datetime) -> None:
    overdue = Payment.objects.filter(
        pk=payment.pk,
        state=Payment.State.pending,
        overdue_at=None,
        created_at__lte=now - OVERDUE_AFTER,
    )
    if overdue.update(overdue_at=now):
        log.error("payment %s: no outcome after %s", payment.reference, OVERDUE_AFTER)
