"""Polls providers about payments: after a notice, for a waiting customer, and by the scheduler."""

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

# A payment that is open for longer is shown to staff; polling continues.
OVERDUE_AFTER = timedelta(hours=25)
# A provider may let a customer try again after a failure.
ASK_FAILED_FOR = timedelta(hours=25)
# By then `start` has ended or was repeated, so a payment that is unknown to its provider has failed.
UNKNOWN_FAILS_AFTER = timedelta(hours=1)

# A customer waits for these polls: the last one starts within this time and takes at most six seconds.
MAX_PER_LOOK = 5
MAX_SECONDS_PER_LOOK = 1
# The minimum time between two polls of one payment for a customer. The longest poll also captures: it starts
# a second late, waits for a slot and takes six seconds, so a payment never occupies two slots.
LOOK_INTERVAL = timedelta(seconds=8)
LOOK_INTERVAL_OF_FAILED = timedelta(minutes=1)


def refresh_payment(*, payment: Payment) -> None:
    """Poll a payment's provider and apply the answer.

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
        # An answer does not cover notices that came after the poll.
        reports = PaymentEvent.objects.filter(payment=payment, reports_paid=True, created_at__lte=asked_at)
        reports.filter(denied_at=None).update(denied_at=asked_at)


def _may_collect(payment: Payment) -> bool:
    """Return True if the payment's money would be accepted now, as far as is known before its capture."""
    if payment.recharge_id is not None:
        return True
    order = Order.objects.get(payments=payment)
    return order.status == OrderStatus.unpaid and payment.amount <= left_to_pay(order)


def _outcome_of_unknown(payment: Payment) -> Outcome:
    has_begun = payment.created_at <= timezone.now() - UNKNOWN_FAILS_AFTER
    state = Payment.State.failed if has_begun else Payment.State.pending
    return Outcome(state, payment.reference, payment.amount, payment.currency)


def refresh_recharge(*, customer: Customer, number: str) -> Recharge | None:
    """Return a customer's top-up after polling its payments; None for an unknown number.

    Call it outside any transaction.
    """
    recharge = customer.recharges.filter(number=number).first() if may_be_number(number) else None
    if recharge is not None:
        refresh_for_customer(payments=recharge.payments.all())
    return recharge


def refresh_order(*, customer: Customer, order_no: str) -> Order:
    """Return a customer's order after polling its payments (docs/wire.md#payresult).

    A paid order is not polled. Call it outside any transaction. Raises ShopError(order_not_found).
    """
    order = find_order(customer=customer, order_no=order_no)
    if not is_paid(order.status):
        refresh_for_customer(payments=order.payments.all())
        order.refresh_from_db()
    return order


def refresh_for_customer(*, payments: QuerySet[Payment], has_returned: bool = False) -> None:
    """Poll the payments that may still bring money, while a customer waits: at most five, within a second.

    Open payments come first. An open payment is polled at most every eight seconds, a failed one every
    minute. If the customer `has_returned` from a failed payment, perhaps after paying on a second try, it is
    polled every eight seconds too. An unavailable provider is skipped, and the next request may poll it; a
    hanging one is polled once. Call it outside any transaction.
    """
    now, start = timezone.now(), monotonic()
    failed_interval = LOOK_INTERVAL if has_returned else LOOK_INTERVAL_OF_FAILED
    asked_lately = Q(queried_at__gt=now - LOOK_INTERVAL)
    asked_lately |= Q(state=Payment.State.failed, queried_at__gt=now - failed_interval)
    asked = payments.filter(next_query_at__isnull=False).exclude(asked_lately)
    # In descending order of state names, pending payments come before failed ones.
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
        # The poll had no result, so the next request may poll.
        Payment.objects.filter(pk=payment.pk, queried_at=now).update(queried_at=payment.queried_at)
        raise


def _claim_look(payment: Payment, now: datetime) -> bool:
    # If two workers poll concurrently, the one that sets the time polls. If that one is killed, the scheduler
    # polls soon.
    mine = Payment.objects.filter(pk=payment.pk, queried_at=payment.queried_at, next_query_at__isnull=False)
    soon = Value(now + ASKED_WITHIN, DateTimeField())
    return bool(mine.update(queried_at=now, next_query_at=Least("next_query_at", soon)))


def query_open_payments() -> int:
    """Poll every payment that is due, at growing intervals; return how many were polled.

    An open payment is polled until its provider gives an outcome, a failed one for 25 hours after its
    failure.
    """
    return process_due_rows("query payments", _due().order_by("next_query_at"), _query_due)


def _due() -> QuerySet[Payment]:
    return Payment.objects.filter(next_query_at__lte=timezone.now())


def _query_due(payment_id: int) -> bool:
    payment = _due().filter(pk=payment_id).first()
    if payment is None:
        return False
    now = timezone.now()
    # Two jobs may run concurrently. A paid payment has no next poll.
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
