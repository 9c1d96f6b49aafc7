"""Records money that staff have received: a transfer, cash, or a payment agreed on the telephone."""

from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import DateTimeField, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from commerce.approvals.services import check_alone
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.payments.hold_times import COLLECTED_BY_STAFF, TRANSFER
from commerce.payments.models import Certificate, Payment, PayType
from commerce.payments.providers.base import Outcome
from commerce.payments.providers.registry import STAFF
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.services.settle import settle
from core.errors import Err, ShopError
from core.money import ZERO, aud
from core.transactions import in_callers_transaction, in_transaction


@in_transaction
def record_payment(
    *,
    order: Order,
    pay_type: str,
    amount: Decimal,
    seen: str,
    staff: User,
    note: str,
    with_surplus: bool = False,
    is_approved: bool = False,
) -> Payment:
    """Record an amount that staff have received for an order, and settle it like any other payment.

    Less than what is left is held for the order until the rest comes. More than that, or money that the order
    cannot use, becomes a refund due, which staff pay back by hand. `amount`: dollars. `pay_type`: one that
    staff collect and that is switched on. `seen`: the `mark_of_receipts` of their page, so that pressing
    twice records one receipt. `note`: the proof, such as the bank's text; required. `with_surplus`: accept
    more than is left. `is_approved`: True if a second person has approved the amount.

    A transfer is refused while a picture of it awaits its review. Locks: Order, the staff's totals, then as
    `settle`. Raises ShopError(order_moved) if the mark has changed, note_missing, pay_type_off,
    picture_waits, above_owed, second_person_needed; parameter_error for another pay type or an invalid
    amount.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": "note_missing"})
    if pay_type not in COLLECTED_BY_STAFF:
        raise ShopError(Err.parameter_error, fields={"payType": Err.parameter_error.name})
    if not PayType.objects.filter(code=pay_type, enabled=True).exists():
        raise ShopError(Err.pay_type_off, fields={"payType": Err.pay_type_off.name})
    if amount != aud(amount) or amount <= ZERO:
        raise ShopError(Err.parameter_error, fields={"amount": Err.parameter_error.name})
    locked = Order.objects.select_for_update(no_key=True).get(pk=order.pk)
    takes_money = locked.status in {OrderStatus.unpaid, OrderStatus.canceled}
    if not takes_money or mark_of_receipts(locked) != seen:
        raise ShopError(Err.order_moved)
    if pay_type == TRANSFER and locked.certificates.filter(state=Certificate.State.waiting).exists():
        raise ShopError(Err.picture_waits)
    if amount > left_to_pay(locked) and not with_surplus:
        raise ShopError(Err.above_owed, fields={"amount": Err.above_owed.name})
    check_alone(staff=staff, subject=subject_of(locked), amount=amount, is_approved=is_approved)
    payment = receive_money(order=locked, pay_type=pay_type, amount=amount, staff=staff, note=note)
    if payment.is_held:
        # The customer gets as much time for the rest as for the whole amount.
        until = timezone.now() + timedelta(days=settings.TRANSFER_HOLD_DAYS)
        unpaid = Order.objects.filter(pk=locked.pk, status=OrderStatus.unpaid)
        unpaid.update(expires_at=Greatest("expires_at", Value(until, DateTimeField())))
    return payment


def mark_of_receipts(order: Order) -> str:
    """Return a text that changes whenever an order gets money or staff record some; two queries.

    The amount left to pay is not enough: it stays the same if a canceled order cannot use the money.
    """
    return f"{left_to_pay(order)}-{order.payments.filter(provider=STAFF).count()}"


def subject_of(order: Order) -> str:
    """Return the subject of an order's money in the totals of staff."""
    return f"order {order.pk}"


@in_callers_transaction
def receive_money(*, order: Order, pay_type: str, amount: Decimal, staff: User, note: str) -> Payment:
    """Create a payment that staff have received, and settle it; the order's row must be locked.

    It works for every status: money that the order cannot use becomes a refund due. Locks: as `settle`.
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
