"""Refunds a paid order, in part or in full: lines, freight, stock and money in one transaction.

See docs/guarantees/money.md#refunds-of-orders.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from django.contrib.auth.models import User
from django.utils import timezone

from commerce.approvals.services import check_alone
from commerce.ledger.models import LedgerEntry
from commerce.orders.models import Order, OrderLine
from commerce.orders.points import return_spent_points, reverse_points
from commerce.orders.status import PAID_CODES, OrderStatus
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.registry import WALLET
from commerce.payments.services.record import subject_of
from commerce.payments.services.refunds import lock_wallet, request_refund
from commerce.refunds.models import CancellationRequest, OrderRefund, OrderRefundLeg, OrderRefundLine
from commerce.refunds.services.stock import end_if_nothing_is_left, return_units, units_not_sent
from commerce.refunds.worth import FreightPart, LineWish, PricedRefund, allocate, price_refund
from commerce.shipments.services import units_left
from core.errors import Err, ShopError
from core.money import ZERO
from core.transactions import in_transaction

# The currency of all orders.
CURRENCY = "AUD"


@in_transaction
def refund_order(
    *,
    order: Order,
    lines: Sequence[LineWish],
    freight: FreightPart,
    to: Refund.To,
    staff: User,
    note: str,
    seen: str,
    is_approved: bool = False,
) -> OrderRefund:
    """Refund what staff chose of a paid order, once; the money returns by the payments that brought it.

    Units that have not left the shop are not sent any more and can be sold again. Units that came back are
    restocked if the wishes ask for it. An order with nothing left ends. If nothing had left the shop, it is
    canceled, which releases its hour or window, its promotion units and its voucher.

    Wallet payments are refunded first, to the wallet, then the newest payments. `to`: the wallet, or the way
    each payment came. A deleted account's wallet gets nothing: staff pay that part back by hand. The points
    that the order earned for the refunded products are taken back. The points that paid for the refunded
    units are returned.

    `note`: the reason, which the customer reads. `seen`: the value of `mark_of` when staff opened the form;
    another value is refused. `is_approved`: True if a second person has approved what goes to the wallet.
    Locks: the order's row, the staff's totals, its payments, the ledger accounts, the customer's row, its
    hour or window, quotas, voucher, stock by pk. Raises ShopError(order_moved, note_missing, not_refundable,
    restock_above_sent, second_person_needed), and as `price_refund` and `allocate` do.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": Err.note_missing.name})
    order = Order.objects.select_for_update(no_key=True).get(pk=order.pk)
    check_refundable(order)
    if mark_of(order) != seen:
        raise ShopError(Err.order_moved)
    priced = price_refund(order=order, lines=list(order.lines.all()), wishes=lines, freight=freight)
    parts = allocate(priced.amount, left_of_payments(order))
    if to == Refund.To.wallet:
        moved = into_wallet(order, parts)
        check_alone(staff=staff, subject=subject_of(order), amount=moved, is_approved=is_approved)
    if to == Refund.To.wallet and not lock_wallet(order.customer):
        to = Refund.To.source
    not_sent = units_not_sent(order, priced)
    refund = OrderRefund.objects.create(
        number=f"CN-{order.order_no}-{order.order_refunds.count() + 1}",
        order=order,
        goods_amount=priced.goods_amount,
        gst=priced.gst,
        freight_amount=priced.freight_amount,
        freight_gst=priced.freight_gst,
        destination=to,
        note=note.strip(),
        staff=staff,
        credit_note_due=priced.amount > ZERO,
    )
    _count(order, priced, not_sent)
    OrderRefundLine.objects.bulk_create(
        OrderRefundLine(
            order_refund=refund,
            line=each.line,
            units=each.units,
            amount=each.amount,
            gst=each.gst,
            unsent=not_sent.get(each.line.pk, 0),
            restocked=each.restocked,
        )
        for each in priced.lines
    )
    _send_money(refund, parts)
    _return_points(refund)
    end_if_nothing_is_left(order, staff=staff, note=refund.note)
    _answer_request(order, staff)
    # Last, since other transactions wait for the stock rows.
    return_units(refund, priced, not_sent)
    return refund


def _answer_request(order: Order, staff: User) -> None:
    """Confirm the customer's request to cancel an order that this refund has ended."""
    if order.status in (OrderStatus.canceled, OrderStatus.returned):
        waiting = CancellationRequest.objects.filter(order=order, state=CancellationRequest.State.waiting)
        waiting.update(
            state=CancellationRequest.State.confirmed, answered_by=staff, answered_at=timezone.now()
        )


def check_refundable(order: Order) -> None:
    """Raise ShopError(not_refundable) for an unpaid order, or if banks decide on all its money.

    A disputed order costs a query.
    """
    if order.paid_at is None or order.status == OrderStatus.unpaid:
        raise ShopError(Err.not_refundable)
    if order.status == OrderStatus.chargeback and not any(left_of_payments(order).values()):
        raise ShopError(Err.not_refundable)


def refunded_since(order: Order, since: datetime) -> Err | None:
    """Return the refusal to undo an action on an order that was refunded after it; None without a refund."""
    return Err.undo_refunded if order.order_refunds.filter(created_at__gte=since).exists() else None


def mark_of(order: Order) -> str:
    """Return a text that changes with the order's status, its refunds, or the deletion of its account.

    Three queries.
    """
    gone = "-deleted" if order.customer.is_deleted else ""
    return f"{order.history.count()}-{order.order_refunds.count()}{gone}"


def left_of_payments(order: Order) -> dict[int, Decimal]:
    """Return the unrefunded amount of each payment of an order: payment pk → dollars, in refund order.

    The wallet's payments are first, then the newest. A disputed payment is left out, since its bank decides
    on it. One query.
    """
    paid = order.payments.filter(state=Payment.State.paid, is_held=False, disputed_at=None)
    payments = [each for each in paid if each.collected[1] == CURRENCY]
    payments.sort(key=lambda each: (each.provider != WALLET, -each.pk))
    return {each.pk: each.collected[0] - each.refunded for each in payments}


def into_wallet(order: Order, parts: Mapping[int, Decimal]) -> Decimal:
    """Return the dollars of payments that go to the wallet although they did not come from it; one query.

    `parts`: payment pk → dollars.
    """
    others = order.payments.filter(pk__in=parts).exclude(provider=WALLET)
    return sum((parts[pk] for pk in others.values_list("pk", flat=True)), ZERO)


def _count(order: Order, priced: PricedRefund, not_sent: dict[int, int]) -> None:
    """Count refunded lines and freight, unless another refund has counted since they were read.

    The amounts depend on earlier refunds, so the earlier counts are compared. Raises ShopError(order_moved).
    """
    for each in priced.lines:
        line = each.line
        if not OrderLine.objects.filter(
            pk=line.pk,
            refunded_units=line.refunded_units,
            refunded_amount=line.refunded_amount,
            unsent=line.unsent,
        ).update(
            refunded_units=line.refunded_units + each.units,
            refunded_amount=line.refunded_amount + each.amount,
            unsent=line.unsent + not_sent.get(line.pk, 0),
        ):
            raise ShopError(Err.order_moved)
    if priced.freight_amount:
        before = order.refunded_freight
        mine_too = Order.objects.filter(pk=order.pk, refunded_freight=before)
        if not mine_too.update(refunded_freight=before + priced.freight_amount):
            raise ShopError(Err.order_moved)


def _send_money(refund: OrderRefund, parts: dict[int, Decimal]) -> None:
    payments = Payment.objects.in_bulk(parts)
    for pk, amount in parts.items():
        leg = request_refund(
            payment=payments[pk],
            amount=amount,
            reason=Refund.Reason.order_refund,
            to=Refund.To(refund.destination),
            staff=refund.staff,
            note=refund.note,
        )
        OrderRefundLeg.objects.create(order_refund=refund, refund=leg)


def _return_points(refund: OrderRefund) -> None:
    order = refund.order
    ends = order.status in PAID_CODES and not units_left(order)
    reverse_points(
        order=order,
        reason=LedgerEntry.Reason.canceled if ends else LedgerEntry.Reason.returned,
        reference=refund.number,
        goods_refunded=order.goods_refunded + refund.goods_amount,
    )
    return_spent_points(order=order, reference=refund.number)
