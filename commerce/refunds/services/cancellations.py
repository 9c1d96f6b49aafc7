"""Customers' requests to cancel paid orders, and the answers of staff.

See docs/guarantees/money.md#requests-to-cancel.
"""

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext

from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.orders.models import Order
from commerce.orders.services import find_order
from commerce.orders.status import PAID_CODES, OrderStatus
from commerce.payments.models import Refund
from commerce.refunds.models import CancellationRequest, OrderRefund
from commerce.refunds.services.refund_order import refund_order
from commerce.refunds.worth import FreightPart, LineWish
from core.errors import Err, ShopError
from core.transactions import in_transaction

# Paid orders that are not packed.
REQUESTABLE = PAID_CODES - {OrderStatus.packed}
# Nothing of these orders is on its way yet. Staff may still cancel an order that was packed in the meantime.
CONFIRMABLE = PAID_CODES


@in_transaction
def request_cancellation(*, customer: Customer, order_no: str, reason: str = "") -> Order:
    """Request that a customer's paid order is canceled; a repeat changes nothing, also after the answer.

    `reason`: the customer's words, may be empty. Locks: the order's row, the customer's row. Raises
    ShopError(order_not_found, order_cancelled, paid_cannot_cancel), and login_invalid if the account was
    deleted in the meantime.
    """
    found = find_order(customer=customer, order_no=order_no)
    order = Order.objects.select_for_update(no_key=True).get(pk=found.pk)
    if CancellationRequest.objects.filter(order=order).exists():
        return order
    if order.status not in REQUESTABLE:
        is_canceled = order.status == OrderStatus.canceled
        raise ShopError(Err.order_cancelled if is_canceled else Err.paid_cannot_cancel)
    lock_customer(customer)
    CancellationRequest.objects.create(order=order, reason=reason.strip())
    return order


@in_transaction
def confirm_cancellation(*, request: CancellationRequest, staff: User, seen: str) -> OrderRefund:
    """Refund all that is left of an order whose customer requested it, by the way it was paid, which ends it.

    `seen`: the value of `mark_of` on the page of staff; an order that was packed or changed otherwise since
    is not canceled. Locks: the order's row, then as `refund_order`. Raises ShopError(order_moved) if the
    request was answered or the order has left the shop, and as `refund_order` does.
    """
    order = Order.objects.select_for_update(no_key=True).get(pk=request.order_id)
    if not _waiting(request).exists() or order.status not in CONFIRMABLE:
        raise ShopError(Err.order_moved)
    with translation.override(order.language):
        note = gettext("Cancelled at your request")
    return refund_order(
        order=order,
        lines=[LineWish(line.pk, line.amount - line.refunded_units) for line in order.lines.all()],
        freight=FreightPart.all,
        to=Refund.To.source,
        staff=staff,
        note=note,
        seen=seen,
    )


@in_transaction
def decline_cancellation(*, request: CancellationRequest, staff: User, answer: str) -> None:
    """Decline a request; the customer is notified with the answer.

    Locks: the order's row. Raises ShopError(note_missing), and order_moved if it was answered before.
    """
    if not answer.strip():
        raise ShopError(Err.note_missing, fields={"answer": Err.note_missing.name})
    # A concurrent refund confirms the request, or waits.
    Order.objects.select_for_update(no_key=True).get(pk=request.order_id)
    if not _waiting(request).update(
        state=CancellationRequest.State.declined,
        answer=answer.strip(),
        answered_by=staff,
        answered_at=timezone.now(),
        message_due=True,
    ):
        raise ShopError(Err.order_moved)


def _waiting(request: CancellationRequest) -> QuerySet[CancellationRequest]:
    return CancellationRequest.objects.filter(pk=request.pk, state=CancellationRequest.State.waiting)
