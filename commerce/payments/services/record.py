"""Records money that staff have received: a transfer, cash, or what was agreed on the telephone."""

from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import DateTimeField, Sum, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.payments.hold_times import COLLECTED_BY_STAFF, TRANSFER
from commerce.payments.models import Certificate, Payment
from commerce.payments.providers.base import Outcome
from commerce.payments.providers.registry import STAFF
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.services.settle import settle
from core.errors import Err, ShopError
from core.money import ZERO, aud
from core.transactions import in_callers_transaction, in_transaction


@in_transaction
def record_payment(
    *, order: Order, pay_type: str, amount: Decimal, seen: str, staff: User, note: str
) -> Payment:
    """Record an amount that staff have received for an order, and settle it as any other money.

    Less than what is left is held for the order until the rest comes; more than that, or money that the order
    cannot take, becomes a refund due, which staff pay back by hand. `amount`: dollars. `pay_type`: one that
    staff collect. `seen`: the `mark_of_receipts` that their page had, so that one receipt pressed twice is
    recorded once. `note`: what proves it, such as the bank's text; required.
    A transfer is recorded only where no picture of it waits for its review, and up to TRANSFER_APPROVAL_LIMIT
    together with what one alone has received for the order before: the review has the second approver.
    Locks: as `settle`. Raises ShopError(order_moved) where the mark is another one by now, note_missing,
    picture_waits, transfer_needs_review, parameter_error for another pay type or no amount.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": "note_missing"})
    if pay_type not in COLLECTED_BY_STAFF:
        raise ShopError(Err.parameter_error, fields={"payType": Err.parameter_error.name})
    if amount != aud(amount) or amount <= ZERO:
        raise ShopError(Err.parameter_error, fields={"amount": Err.parameter_error.name})
    locked = Order.objects.select_for_update(no_key=True).get(pk=order.pk)
    takes_money = locked.status in {OrderStatus.unpaid, OrderStatus.canceled}
    if not takes_money or mark_of_receipts(locked) != seen:
        raise ShopError(Err.order_moved)
    if pay_type == TRANSFER:
        _check_transfer(locked, amount)
    payment = receive_money(order=locked, pay_type=pay_type, amount=amount, staff=staff, note=note)
    if payment.is_held:
        # The customer has as long for the rest as for all of it.
        until = timezone.now() + timedelta(days=settings.TRANSFER_HOLD_DAYS)
        unpaid = Order.objects.filter(pk=locked.pk, status=OrderStatus.unpaid)
        unpaid.update(expires_at=Greatest("expires_at", Value(until, DateTimeField())))
    return payment


def mark_of_receipts(order: Order) -> str:
    """Return what changes whenever money for an order comes or staff record some; two queries.

    The amount left to pay does not show it: money that a canceled order cannot take leaves that unchanged.
    """
    return f"{left_to_pay(order)}-{order.payments.filter(provider=STAFF).count()}"


def _check_transfer(order: Order, amount: Decimal) -> None:
    if order.certificates.filter(state=Certificate.State.waiting).exists():
        raise ShopError(Err.picture_waits)
    if amount + received_by_one(order) > settings.TRANSFER_APPROVAL_LIMIT:
        raise ShopError(Err.transfer_needs_review)


def received_by_one(order: Order) -> Decimal:
    """Return what was received for an order on the word of one member of staff alone, in dollars."""
    by_two = order.certificates.filter(first_approver__isnull=False, payment__isnull=False)
    by_one = order.payments.filter(provider=STAFF).exclude(pk__in=by_two.values("payment"))
    return aud(by_one.aggregate(total=Sum("amount"))["total"] or ZERO)


@in_callers_transaction
def receive_money(*, order: Order, pay_type: str, amount: Decimal, staff: User, note: str) -> Payment:
    """Write a payment that staff have received, and settle it; the order's row must be locked.

    Whatever became of the order: what it cannot take becomes a refund due. Locks: as `settle`.
    """
    payment = Payment.objects.create(
        order=order,
        reference=Payment.next_reference(order),
        pay_type=pay_type,
        provider=STAFF,
        amount=amount,
        staff=staff,
        note=note,
    )
    settle(
        payment=payment,
        outcome=Outcome(Payment.State.paid, payment.reference, amount, payment.currency),
    )
    payment.refresh_from_db()
    return payment
