"""Asks providers about payments: after a hint, when a customer looks, and by the clock."""

import logging
from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.orders.models import Order
from commerce.orders.services import find_order
from commerce.orders.status import is_paid
from commerce.payments.models import Payment
from commerce.payments.providers.base import Outcome, UnavailableError
from commerce.payments.providers.registry import provider_named
from commerce.payments.providers.slots import gateway_slot
from commerce.payments.services.settle import settle
from core.sweeps import sweep

log = logging.getLogger(__name__)

# Minutes between two queries of one payment; the last interval repeats until the sweep gives up.
QUERY_INTERVALS = (1, 2, 5, 15, 60)
GIVE_UP_AFTER = timedelta(hours=25)


def refresh_payment(*, payment: Payment) -> None:
    """Ask a payment's provider about it and apply the answer.

    Call it outside any transaction. Raises UnavailableError.
    """
    provider = provider_named(payment.provider)
    if provider is None:
        raise UnavailableError(payment.provider)
    with gateway_slot(provider.name):
        outcome = provider.query(payment=payment)
    settle(payment=payment, outcome=outcome)


def refresh_order(*, customer: Customer, order_no: str) -> Order:
    """Return a customer's order as it is after asking about its newest open payment (docs/wire.md#payresult).

    Call it outside any transaction. Raises ShopError(order_not_found).
    """
    order = find_order(customer=customer, order_no=order_no)
    payment = order.payments.filter(state=Payment.State.pending).first()
    if payment is not None and not is_paid(order.status):
        try:
            refresh_payment(payment=payment)
        except UnavailableError:
            log.info("payment %s: the provider could not be asked", payment.reference)
        order.refresh_from_db()
    return order


def query_open_payments() -> int:
    """Ask about every open payment that is due, at growing intervals; returns how many were asked about.

    After 25 hours a payment counts as failed; money that comes later is still noticed.
    """
    due = Payment.objects.filter(state=Payment.State.pending, next_query_at__lte=timezone.now())
    return sweep(
        "query payments",
        due.order_by("next_query_at"),
        lambda key: _query_due(Payment.objects.get(pk=key)),
    )


def _query_due(payment: Payment) -> bool:
    now = timezone.now()
    minutes = QUERY_INTERVALS[min(payment.queries, len(QUERY_INTERVALS) - 1)]
    # Two sweeps may meet; who moves the time on asks.
    mine = Payment.objects.filter(pk=payment.pk, queries=payment.queries).update(
        queries=F("queries") + 1, next_query_at=now + timedelta(minutes=minutes)
    )
    if not mine:
        return False
    try:
        refresh_payment(payment=payment)
    except UnavailableError:
        log.warning("payment %s: the provider could not be asked", payment.reference)
    if payment.created_at <= now - GIVE_UP_AFTER:
        given_up = Outcome(Payment.State.failed, payment.reference, payment.amount, payment.currency)
        settle(payment=payment, outcome=given_up)
    return True
