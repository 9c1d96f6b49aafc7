"""Points that orders earn and spend; earned points are booked later, so that no payment waits for them.

See docs/guarantees/money.md#wallet-and-points.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.points import order_reference, points_earned, points_worth, post_points
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.moves import UNDO_FOR
from commerce.orders.status import MONEY_CODES, ChangeReason, OrderStatus, is_paid
from core.due_rows import process_due_rows
from core.errors import ShopError
from core.transactions import in_callers_transaction, in_transaction

Reason = LedgerEntry.Reason
# The statuses in which an order's points are booked, by the setting POINTS_EARNED_AT.
EARNED_IN: Mapping[str, frozenset[int]] = {
    "completion": frozenset({OrderStatus.completed}),
    "payment": MONEY_CODES,
}


def points_of(order: Order) -> int:
    """Return the points that an order is worth in its current state; a disputed order is worth none."""
    if order.status == OrderStatus.chargeback:
        return 0
    return points_earned(rate=order.points_rate, paid=order.goods_paid)


def due_points() -> QuerySet[Order]:
    """Return the orders whose points must be booked now; a completion that can be undone earns none yet."""
    due = unbooked_points().filter(status__in=EARNED_IN[settings.POINTS_EARNED_AT])
    if settings.POINTS_EARNED_AT == "payment":
        return due
    by_staff = OrderStatusChange.objects.filter(
        order=OuterRef("pk"),
        reason__in=[ChangeReason.handed_over, ChangeReason.delivered],
        staff__isnull=False,
        created_at__gt=timezone.now() - UNDO_FOR,
    )
    return due.filter(~Exists(by_staff))


def unbooked_points() -> QuerySet[Order]:
    """Return the paid orders that earn points which are not booked yet."""
    return Order.objects.filter(paid_at__isnull=False, points_booked_at=None, points_rate__gt=0)


def pending_points(customer: Customer) -> int:
    """Return the points that a customer's paid orders will earn; one query."""
    return sum(pending_points_of(order) for order in unbooked_points().filter(customer=customer))


def pending_points_of(order: Order) -> int:
    """Return the points that a paid order will earn; 0 if it is unpaid or they are booked."""
    return points_of(order) if order.points_booked_at is None and is_paid(order.status) else 0


@in_transaction
def book_points(order_id: int) -> bool:
    """Book the points of an order, once; return False if none are due.

    Locks: the order's row, then the customer's points account.
    """
    if not due_points().filter(pk=order_id).update(points_booked_at=timezone.now()):
        return False
    # Read after the row is locked, since a refund may have been made in the meantime.
    order = Order.objects.select_related("customer").get(pk=order_id)
    points = points_of(order)
    if points:
        Order.objects.filter(pk=order_id).update(points_earned=points)
        post_points(customer=order.customer, points=points, reason=Reason.earned, order_no=order.order_no)
    return True


def book_due_points() -> int:
    """Book the points that are due, order by order; return the number of orders."""
    return process_due_rows("book points", due_points().order_by("pk"), book_points)


@in_callers_transaction
def reverse_points(
    *,
    order: Order,
    reason: LedgerEntry.Reason,
    reference: str = "",
    goods_refunded: Decimal | None = None,
) -> int:
    """Take back the points that an order has earned beyond its current worth; return their number.

    Points that are not booked yet are reduced when they are booked. The balance may go below zero.

    `reason`: chargeback, returned or canceled. `reference`: the cause, such as a refund's reference; the same
    reference changes the points only once. `goods_refunded`: total refunds of the money paid for products, in
    dollars; by default unchanged for a chargeback, everything for other reasons.
    Locks: the order's row, then the customer's points account.
    """
    order = (
        Order.objects.select_for_update(no_key=True, of=("self",)).select_related("customer").get(pk=order.pk)
    )
    if goods_refunded is None:
        goods_refunded = order.goods_refunded
        if reason != Reason.chargeback:
            goods_refunded += order.goods_paid
    # Refunds may be reported out of order.
    goods_refunded = max(order.goods_refunded, goods_refunded)
    order.goods_refunded = min(goods_refunded, order.goods_amount - order.points_amount)
    Order.objects.filter(pk=order.pk).update(goods_refunded=order.goods_refunded)
    surplus = order.points_earned - points_of(order)
    detail = reference.removeprefix(order.order_no)
    if surplus <= 0 or _is_posted(order, reason, detail):
        return 0
    Order.objects.filter(pk=order.pk).update(points_earned=order.points_earned - surplus)
    post_points(
        customer=order.customer, points=-surplus, reason=reason, order_no=order.order_no, detail=detail
    )
    return surplus


@in_callers_transaction
def earn_again(*, order: Order, reference: str) -> None:
    """Book the points that a dispute took back from an order, once it is over; the order's row is locked.

    Points that were not booked before the dispute are booked by the job. `reference`: of the dispute. Locks:
    the customer's points account.
    """
    order.refresh_from_db()
    missing = points_of(order) - order.points_earned
    if order.points_booked_at is None or missing <= 0:
        return
    Order.objects.filter(pk=order.pk).update(points_earned=order.points_earned + missing)
    post_points(
        customer=order.customer,
        points=missing,
        reason=Reason.earned,
        order_no=order.order_no,
        detail=reference.removeprefix(order.order_no),
    )


@in_callers_transaction
def spend_points(*, customer: Customer, points: int, order_no: str) -> None:
    """Subtract the points that an order spends, all or none, once for the order.

    Locks: the customer's points account, so call it before the customer's row is locked.
    Raises ShopError(points_insufficient), and points_unusable if the points are not worth whole cents.
    """
    points_worth(points)
    _spend(customer, points, order_no)


@in_callers_transaction
def spend_points_again(order: Order) -> None:
    """Subtract the points of a revived order again, once; raises ShopError(points_insufficient)."""
    if order.points:
        _spend(order.customer, order.points, order.order_no, detail="again")


def _spend(customer: Customer, points: int, order_no: str, detail: str = "") -> None:
    try:
        post_points(customer=customer, points=-points, reason=Reason.spent, order_no=order_no, detail=detail)
    except ShopError as error:
        raise ShopError(error.err, fields={"points": error.err.name}) from error


@in_callers_transaction
def give_points_back(orders: Sequence[Order]) -> None:
    """Give back the points spent on orders that end unpaid, once for each order.

    Locks: the points accounts, in the order of customer ids.
    """
    with_points = [order for order in orders if order.points]
    for order in sorted(with_points, key=lambda order: (order.customer_id, order.pk)):
        post_points(
            customer=order.customer, points=order.points, reason=Reason.given_back, order_no=order.order_no
        )


@in_callers_transaction
def return_spent_points(*, order: Order, reference: str) -> int:
    """Give back the points that paid for an order's refunded units; return their number.

    The number is rounded down, so the remainder is given back with the last unit. `reference`: of the refund
    that counted the units; the same reference gives points back only once. Locks: the order's row, then the
    customer's points account.
    """
    order = (
        Order.objects.select_for_update(no_key=True, of=("self",)).select_related("customer").get(pk=order.pk)
    )
    returned = points_of_refunds(order) - order.points_returned
    if returned <= 0:
        return 0
    Order.objects.filter(pk=order.pk).update(points_returned=order.points_returned + returned)
    post_points(
        customer=order.customer,
        points=returned,
        reason=Reason.given_back,
        order_no=order.order_no,
        detail=reference.removeprefix(order.order_no),
    )
    return returned


def points_of_refunds(order: Order, further: Mapping[int, int] | None = None) -> int:
    """Return the points that paid for the refunded units of an order; one query for its lines.

    `further`: line id → additional units to refund.
    """
    if not order.points:
        return 0
    more = further or {}
    refunded = sum(
        line.points_discount * (line.refunded_units + more.get(line.pk, 0)) / line.amount
        for line in order.lines.all()
    )
    return int(order.points * refunded / order.points_amount)


def _is_posted(order: Order, reason: LedgerEntry.Reason, detail: str) -> bool:
    return LedgerEntry.objects.filter(
        account__customer=order.customer,
        account__kind=LedgerAccount.Kind.points,
        reason=reason,
        reference=order_reference(order.order_no, detail),
    ).exists()
