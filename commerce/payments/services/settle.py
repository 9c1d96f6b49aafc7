"""Applies the outcome of a payment; its money is captured once."""

import logging
import re
from dataclasses import replace
from decimal import Decimal

from django.utils import timezone

from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post
from commerce.orders.models import Order
from commerce.orders.services import mark_paid
from commerce.orders.status import OrderStatus
from commerce.payments.models import Payment, Recharge, Refund
from commerce.payments.providers.base import Outcome, UnavailableError
from commerce.payments.services.left_to_pay import left_to_pay, lock_order
from commerce.payments.services.refunds import lock_wallet, request_refund
from core.money import ZERO, aud
from core.transactions import in_transaction

log = logging.getLogger(__name__)

State = Payment.State

# The maximum of the amount columns of payments and refunds.
MAX_COLLECTED = Decimal("9999999999.99")
_CURRENCY = re.compile(r"[A-Za-z]{3}")


@in_transaction
def settle(*, payment: Payment, outcome: Outcome) -> None:
    """Apply the outcome of a poll of the provider; a repeat changes nothing.

    See docs/guarantees/money.md#paid-once. Money that neither order nor wallet can use becomes a refund due.
    That includes another amount or currency than requested. Money that pays a part of what is left is held
    until the rest comes. Locks: Order or Recharge, Payment, then as `mark_paid`, or as `lock_wallet`. Raises
    UnavailableError for an outcome of another payment, without money, or with an amount that no column can
    store.
    """
    collected = replace(outcome, amount=_in_cents(outcome.amount))
    if outcome.reference != payment.reference or (outcome.state == State.paid and not _is_money(collected)):
        log.error("payment %s: the provider answered with %s", payment.reference, outcome)
        raise UnavailableError("no answer about this payment")
    if outcome.state == State.pending:
        return
    if payment.recharge_id is not None:
        recharge = Recharge.objects.select_for_update(no_key=True).get(pk=payment.recharge_id)
        if _note(payment, collected):
            _fill_wallet(recharge, payment, collected)
    else:
        order = lock_order(payment)
        # Read before this payment's money is counted.
        left = left_to_pay(order)
        if _note(payment, collected):
            use_money(order=order, payment=payment, collected=collected, left=left)


def _note(payment: Payment, outcome: Outcome) -> bool:
    """Store an outcome; return True if it captured money that was not captured before."""
    if outcome.state == State.failed:
        pending = Payment.objects.filter(pk=payment.pk, state=State.pending)
        pending.update(state=State.failed, settled_at=timezone.now())
        return False
    return _capture(payment, outcome)


def _fill_wallet(recharge: Recharge, payment: Payment, collected: Outcome) -> None:
    if not _is_as_asked(payment, collected):
        _send_back(payment, collected, _reason_of_difference(payment, collected))
        return
    if not lock_wallet(recharge.customer):
        _send_back(payment, collected, Refund.Reason.account_deleted)
        return
    post(
        customer=recharge.customer,
        kind=LedgerAccount.Kind.wallet,
        amount=collected.amount,
        reason=LedgerEntry.Reason.recharge,
        reference=recharge.number,
    )


def use_money(*, order: Order, payment: Payment, collected: Outcome, left: Decimal) -> None:
    """Use collected money for its order, whose row is locked; what the order cannot use becomes a refund due.

    `left`: what was left to pay before this money, in dollars. Locks: as `mark_paid`. See
    docs/guarantees/money.md#parts-of-an-orders-amount.
    """
    if not _is_as_asked(payment, collected):
        _send_back(payment, collected, _reason_of_difference(payment, collected))
    elif collected.amount < left and order.status == OrderStatus.unpaid:
        Payment.objects.filter(pk=payment.pk).update(is_held=True)
    elif collected.amount >= left and mark_paid(order=order, pay_type=payment.pay_type):
        order.payments.filter(is_held=True).update(is_held=False)
        if collected.amount > left:
            _send_back(payment, replace(collected, amount=collected.amount - left), Refund.Reason.overpaid)
    else:
        is_canceled = order.status == OrderStatus.canceled
        reason = Refund.Reason.order_canceled if is_canceled else Refund.Reason.paid_twice
        _send_back(payment, collected, reason)


def _in_cents(amount: Decimal) -> Decimal:
    # Rounded here, since each database rounds differently; zero if the amount cannot be rounded.
    return aud(amount) if amount.is_finite() and abs(amount) <= MAX_COLLECTED else ZERO


def _is_money(outcome: Outcome) -> bool:
    return outcome.amount > 0 and bool(_CURRENCY.fullmatch(outcome.currency))


def _is_as_asked(payment: Payment, outcome: Outcome) -> bool:
    return (outcome.amount, outcome.currency) == (payment.amount, payment.currency)


def _capture(payment: Payment, outcome: Outcome) -> bool:
    """Store the collected money; return False if it was stored before."""
    as_asked = _is_as_asked(payment, outcome)
    # A provider may let a customer try again after a failure, so a failed payment can still be paid.
    open_or_failed = Payment.objects.filter(pk=payment.pk, state__in=[State.pending, State.failed])
    return bool(
        open_or_failed.update(
            state=State.paid,
            settled_at=timezone.now(),
            next_query_at=None,
            received_amount=None if as_asked else outcome.amount,
            received_currency="" if as_asked else outcome.currency,
            capture_ref=outcome.capture_ref,
        )
    )


def _reason_of_difference(payment: Payment, outcome: Outcome) -> Refund.Reason:
    is_foreign = outcome.currency != payment.currency
    return Refund.Reason.wrong_currency if is_foreign else Refund.Reason.wrong_amount


def _send_back(payment: Payment, outcome: Outcome, reason: Refund.Reason) -> None:
    request_refund(payment=payment, amount=outcome.amount, reason=reason)
    log.warning("refund due: payment %s, %s", payment.reference, reason)
