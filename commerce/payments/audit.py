"""Rules of payments to audit (docs/guarantees.md#wallet-and-points, docs/guarantees.md#paid-once)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal

from django.db.models import Count, Q, Sum

from commerce.ledger.models import LedgerEntry
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus, is_paid
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.registry import WALLET
from core.money import ZERO, aud

# What orders are in.
CURRENCY = "AUD"


def differences() -> Iterator[str]:
    """Name each order whose money does not fit its status, and each wallet payment without its entry."""
    yield from _orders()
    yield from _transitions()
    yield from _wallet_payments()


def _orders() -> Iterator[str]:
    received: dict[tuple[str, str], Decimal] = defaultdict(lambda: ZERO)
    for order_no, currency, amount in _captured():
        received[order_no, currency] += amount
    for order_no, currency, amount in _refunds():
        received[order_no, currency] -= amount
    orders = Order.objects.exclude(status=OrderStatus.chargeback)
    for order in orders.only("pk", "order_no", "status", "pay_amount").iterator():
        amount = aud(received[order.order_no, CURRENCY])
        if amount != (order.pay_amount if is_paid(order.status) else ZERO):
            yield f"order {order}: status {order.status}, to pay {order.pay_amount}, received {amount}"
    # No order takes another currency, so all of it is due back.
    for (order_no, currency), amount in received.items():
        if currency != CURRENCY and aud(amount) != ZERO:
            yield f"order {order_no}: received {aud(amount)} {currency}"


def _captured() -> Iterable[tuple[str, str, Decimal]]:
    """Sum what was collected for each order in each currency."""
    paid = Payment.objects.filter(state=Payment.State.paid).order_by()
    as_asked = paid.filter(received_amount=None).values_list("order__order_no", "currency")
    otherwise = paid.exclude(received_amount=None).values_list("order__order_no", "received_currency")
    yield from as_asked.annotate(Sum("amount"))
    yield from otherwise.annotate(Sum("received_amount"))


def _refunds() -> Iterable[tuple[str, str, Decimal]]:
    """Sum what is or was to go back for each order in each currency."""
    return (
        Refund.objects.order_by().values_list("payment__order__order_no", "currency").annotate(Sum("amount"))
    )


def _transitions() -> Iterator[str]:
    paid = Count("history", filter=Q(history__to_status=OrderStatus.paid))
    for order in Order.objects.annotate(times_paid=paid).filter(times_paid__gt=1):
        yield f"order {order}: paid {order.times_paid} times"


def _wallet_payments() -> Iterator[str]:
    entries = LedgerEntry.objects.filter(reason=LedgerEntry.Reason.payment)
    posted = dict(entries.values_list("reference", "amount"))
    payments = Payment.objects.filter(provider=WALLET, state=Payment.State.paid)
    for reference, amount in payments.values_list("reference", "amount"):
        if posted.pop(reference, None) != -amount:
            yield f"payment {reference}: no wallet entry of {-amount}"
    for reference in posted:
        yield f"wallet entry {reference}: no payment"
