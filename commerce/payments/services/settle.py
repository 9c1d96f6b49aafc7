"""Applies the outcome of a payment: once, to the right order, for the right amount."""

import logging
from functools import partial

from django.db import transaction
from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.services import mark_paid
from commerce.orders.status import OrderStatus
from commerce.orders.tasks import count_sales
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import Outcome
from core.transactions import in_transaction

log = logging.getLogger(__name__)

State = Payment.State


@in_transaction
def settle(*, payment: Payment, outcome: Outcome) -> None:
    """Apply an outcome that the provider itself was asked for; a repeat changes nothing.

    See docs/guarantees.md#paid-once.

    Money that the order cannot take becomes a refund due. An outcome of another reference, amount or currency
    changes nothing and is logged. Locks: Order, Payment, then as `mark_paid`.
    """
    if outcome.state == State.pending:
        return
    ours = (payment.reference, payment.amount, payment.currency)
    if (outcome.reference, outcome.amount, outcome.currency) != ours:
        log.error("payment %s does not match its outcome %s", payment.reference, outcome)
        return
    order = Order.objects.select_for_update(no_key=True).get(pk=payment.order_id)
    # A provider may let a customer try again after a failure, so failed is no end; paid is.
    before = [State.pending] if outcome.state == State.failed else [State.pending, State.failed]
    applied = Payment.objects.filter(pk=payment.pk, state__in=before).update(
        state=outcome.state, settled_at=timezone.now(), next_query_at=None
    )
    if not applied or outcome.state != State.paid:
        return
    if mark_paid(order=order, pay_type=payment.pay_type):
        transaction.on_commit(partial(count_sales, order.pk), robust=True)
    else:
        _record_refund_due(payment, order)


def _record_refund_due(payment: Payment, order: Order) -> None:
    canceled = order.status == OrderStatus.canceled
    reason = Refund.Reason.order_canceled if canceled else Refund.Reason.paid_twice
    Refund.objects.create(payment=payment, amount=payment.amount, reason=reason)
    log.warning("refund due: payment %s, %s", payment.reference, reason)
