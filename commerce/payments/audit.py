"""Rules of payments to audit (docs/guarantees.md#wallet-and-points, docs/guarantees.md#paid-once)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Case, Count, DecimalField, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.orders.models import Order
from commerce.orders.status import MONEY_CODES, OrderStatus, is_paid
from commerce.payments.models import Payment, PaymentEvent, Refund
from commerce.payments.providers.registry import WALLET
from core.audit import Difference, cents, run_rules
from core.money import ZERO, aud

# What orders are in.
CURRENCY = "AUD"
# A provider sends its notice again, and the clock asks about the payment: by then its money is here.
CAPTURED_WITHIN = timedelta(hours=1)
# The clock asks about an open payment once an hour at least.
ASKED_WITHIN = timedelta(days=1)


def differences() -> Iterator[Difference]:
    """Name each order whose money does not fit its status, wallet payments without entry, and lost money."""
    yield from run_rules(
        _orders, _foreign_money, _times_paid, _wallet_payments, _wallet_entries, _reported, _questions
    )


def _orders() -> Iterator[Difference]:
    """Compare what each order has received, less what goes back, with what it costs."""
    orders = Order.objects.exclude(status=OrderStatus.chargeback).annotate(
        captured=_total(_captured().filter(order=OuterRef("pk"), into=CURRENCY), "order", "collected_amount"),
        owed=_total(
            Refund.objects.filter(payment__order=OuterRef("pk"), currency=CURRENCY),
            "payment__order",
            "amount",
        ),
    )
    owes = Case(When(status__in=MONEY_CODES, then=F("pay_amount")), default=ZERO)
    unequal = orders.annotate(received=cents(F("captured") - F("owed"))).exclude(received=owes)
    for order in unequal.only("order_no", "status", "pay_amount").order_by("pk").iterator():
        # SQLite adds amounts as binary fractions, so the exact comparison is made here.
        received = aud(order.received)
        if received != (order.pay_amount if is_paid(order.status) else ZERO):
            found = f"status {order.status}, to pay {order.pay_amount}, received {received}"
            yield Difference("order-money", f"order {order}", found)


def _foreign_money() -> Iterator[Difference]:
    """Compare what was received in other currencies, which no order takes, with what goes back."""
    refunded = Refund.objects.filter(payment=OuterRef("pk"), currency=OuterRef("into"))
    foreign = _captured().exclude(into=CURRENCY).annotate(owed=_total(refunded, "payment", "amount"))
    for payment in foreign.order_by("pk").iterator():
        received = aud(payment.collected_amount - payment.owed)
        if received != ZERO:
            yield Difference("order-money", f"payment {payment}", f"received {received} {payment.into}")


def _captured() -> QuerySet[Any]:
    """Annotate paid payments with what was collected: an amount, and the currency it came in."""
    as_asked = Q(received_amount=None)
    return Payment.objects.filter(state=Payment.State.paid).annotate(
        collected_amount=Coalesce("received_amount", "amount"),
        into=Case(When(as_asked, then=F("currency")), default=F("received_currency")),
    )


def _times_paid() -> Iterator[Difference]:
    # Staff move an order that they have looked at back to paid; that is no payment.
    is_payment = Q(
        history__from_status__in=[OrderStatus.unpaid, OrderStatus.canceled],
        history__to_status=OrderStatus.paid,
    )
    paid = Count("history", filter=is_payment)
    for order in Order.objects.annotate(times_paid=paid).filter(times_paid__gt=1).order_by("pk").iterator():
        yield Difference("paid-once", f"order {order}", f"paid {order.times_paid} times")


def _wallet_payments() -> Iterator[Difference]:
    entry = LedgerEntry.objects.filter(
        account__customer=OuterRef("order__customer"),
        account__kind=LedgerAccount.Kind.wallet,
        reason=LedgerEntry.Reason.payment,
        reference=OuterRef("reference"),
    )
    paid = Payment.objects.filter(provider=WALLET, state=Payment.State.paid)
    payments = paid.annotate(booked=Subquery(entry.values("amount")[:1]))
    for payment in payments.filter(Q(booked=None) | ~Q(booked=-F("amount"))).order_by("pk").iterator():
        found = f"its customer's wallet has no entry of {-payment.amount}"
        yield Difference("wallet-payment", f"payment {payment}", found)


def _wallet_entries() -> Iterator[Difference]:
    payment = Payment.objects.filter(
        reference=OuterRef("reference"),
        provider=WALLET,
        state=Payment.State.paid,
        order__customer=OuterRef("account__customer"),
    )
    entries = LedgerEntry.objects.filter(~Exists(payment), reason=LedgerEntry.Reason.payment)
    for entry in entries.order_by("pk").iterator():
        found = f"no payment {entry.reference} of its customer"
        yield Difference("wallet-payment", f"ledger entry {entry.pk}", found)


def _reported() -> Iterator[Difference]:
    """Name the payments that their provider reported as paid, and has not called failed since."""
    reports = PaymentEvent.objects.filter(
        reports_paid=True, denied_at=None, created_at__lte=timezone.now() - CAPTURED_WITHIN
    )
    lost = reports.exclude(payment__state=Payment.State.paid).select_related("payment")
    for report in lost.order_by("pk").iterator():
        found = f"{report.payment.state}, but {report.provider} reported it paid by event {report.event_id}"
        yield Difference("reported-paid", f"payment {report.payment}", found)


def _questions() -> Iterator[Difference]:
    """Name the open payments that nobody asks about, by which their money could be lost."""
    now = timezone.now()
    is_due = Q(next_query_at__range=(now - ASKED_WITHIN, now + ASKED_WITHIN))
    for payment in Payment.objects.filter(~is_due, state=Payment.State.pending).order_by("pk").iterator():
        found = f"open, next question at {payment.next_query_at or 'no time'}"
        yield Difference("payment-asked", f"payment {payment}", found)


def _total(rows: QuerySet[Any], group: str, amount: str) -> Coalesce:
    total = rows.order_by().values(group).annotate(total=Sum(amount)).values("total")
    return Coalesce(Subquery(total), ZERO, output_field=DecimalField())
