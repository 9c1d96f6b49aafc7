"""Rules of payments to audit (docs/guarantees.md#wallet-and-points, docs/guarantees.md#paid-once)."""

from collections.abc import Iterator

from django.db.models import Count, Q, Sum

from commerce.ledger.models import LedgerEntry
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus, is_paid
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.registry import WALLET
from core.money import ZERO, aud


def differences() -> Iterator[str]:
    """Name each order whose money does not fit its status, and each wallet payment without its entry."""
    yield from _orders()
    yield from _transitions()
    yield from _wallet_payments()


def _orders() -> Iterator[str]:
    captured = dict(
        Payment.objects.filter(state=Payment.State.paid)
        .order_by()
        .values_list("order")
        .annotate(Sum("amount"))
    )
    owed = dict(Refund.objects.order_by().values_list("payment__order").annotate(Sum("amount")))
    orders = Order.objects.exclude(status=OrderStatus.chargeback)
    for order in orders.only("pk", "order_no", "status", "pay_amount").iterator():
        received = aud(captured.get(order.pk, ZERO) - owed.get(order.pk, ZERO))
        if received != (order.pay_amount if is_paid(order.status) else ZERO):
            yield f"order {order}: status {order.status}, to pay {order.pay_amount}, received {received}"


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
