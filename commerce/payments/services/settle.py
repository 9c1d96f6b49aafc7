"""Applies the outcome of a payment: its money is captured once, as what it is."""

import logging
from dataclasses import replace
from decimal import Decimal

from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.services import mark_paid
from commerce.orders.status import OrderStatus
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import Outcome, UnavailableError
from core.money import ZERO, aud
from core.transactions import in_transaction

log = logging.getLogger(__name__)

State = Payment.State

# What the columns of a payment and a refund can hold.
MAX_COLLECTED = Decimal("9999999999.99")
CURRENCY_LETTERS = 3


@in_transaction
def settle(*, payment: Payment, outcome: Outcome) -> None:
    """Apply an outcome that the provider itself was asked for; a repeat changes nothing.

    See docs/guarantees.md#paid-once.

    Money that the order cannot take becomes a refund due: also another amount or currency than was asked for,
    which never reaches the order. Locks: Order, Payment, then as `mark_paid`. Raises UnavailableError for an
    outcome of another payment, or one that collected nothing or what no payment can hold: it answers nothing.
    """
    collected = replace(outcome, amount=_in_cents(outcome.amount))
    if outcome.reference != payment.reference or (outcome.state == State.paid and not _is_money(collected)):
        log.error("payment %s: the provider answered with %s", payment.reference, outcome)
        raise UnavailableError("no answer about this payment")
    if outcome.state == State.pending:
        return
    order = Order.objects.select_for_update(no_key=True).get(pk=payment.order_id)
    if outcome.state == State.failed:
        pending = Payment.objects.filter(pk=payment.pk, state=State.pending)
        pending.update(state=State.failed, settled_at=timezone.now())
    elif _capture(payment, collected):
        is_as_asked = _is_as_asked(payment, collected)
        if not (is_as_asked and mark_paid(order=order, pay_type=payment.pay_type)):
            _record_refund_due(payment, collected, order)


def _in_cents(amount: Decimal) -> Decimal:
    # Rounded here, since each database would round in its own way; nothing, where that cannot be.
    return aud(amount) if amount.is_finite() and abs(amount) <= MAX_COLLECTED else ZERO


def _is_money(outcome: Outcome) -> bool:
    return outcome.amount > 0 and len(outcome.currency) == CURRENCY_LETTERS


def _is_as_asked(payment: Payment, outcome: Outcome) -> bool:
    return (outcome.amount, outcome.currency) == (payment.amount, payment.currency)


def _capture(payment: Payment, outcome: Outcome) -> bool:
    """Note what was collected; False when that was noted before."""
    as_asked = _is_as_asked(payment, outcome)
    # A provider may let a customer try again after a failure, so failed is no end; paid is.
    open_or_failed = Payment.objects.filter(pk=payment.pk, state__in=[State.pending, State.failed])
    return bool(
        open_or_failed.update(
            state=State.paid,
            settled_at=timezone.now(),
            next_query_at=None,
            received_amount=None if as_asked else outcome.amount,
            received_currency="" if as_asked else outcome.currency,
        )
    )


def _record_refund_due(payment: Payment, outcome: Outcome, order: Order) -> None:
    if outcome.currency != payment.currency:
        reason = Refund.Reason.wrong_currency
    elif outcome.amount != payment.amount:
        reason = Refund.Reason.wrong_amount
    elif order.status == OrderStatus.canceled:
        reason = Refund.Reason.order_canceled
    else:
        reason = Refund.Reason.paid_twice
    Refund.objects.create(payment=payment, amount=outcome.amount, currency=outcome.currency, reason=reason)
    log.warning("refund due: payment %s, %s", payment.reference, reason)
