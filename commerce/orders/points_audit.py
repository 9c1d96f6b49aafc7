"""Audit rules for points that orders earn and spend (docs/guarantees/README.md)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Floor
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.points import ORDER_OF_ENTRY
from commerce.orders.models import Order, OrderLine, OrderStatusChange
from commerce.orders.points import due_points, points_of, unbooked_points
from commerce.orders.status import OrderStatus
from core.audit import Difference, about, cents, label_of, run_rules
from core.money import ZERO, aud, aud_text

# A job books due points every minute, well within this time.
BOOKED_WITHIN = timedelta(hours=1)
_Reason = LedgerEntry.Reason
EARNING = frozenset({_Reason.earned, _Reason.chargeback, _Reason.returned, _Reason.canceled})
SPENDING = frozenset({_Reason.spent, _Reason.given_back})
_WITH_POINTS = Order.objects.filter(Q(points_rate__gt=0) | Q(points__gt=0))
_GOODS_PAID = F("goods_amount") - F("points_amount") - F("goods_refunded")


def differences() -> Iterator[Difference]:
    """Yield a difference for each order whose points contradict its entries, its lines or the rule."""
    yield from run_rules(_points_due, _points_of_orders, _points_of_no_order, _points_of_lines)


@about(unbooked_points())
def _points_due() -> Iterator[Difference]:
    """Yield a difference for each order whose points should have been booked."""
    long_ago = timezone.now() - BOOKED_WITHIN
    moved = OrderStatusChange.objects.filter(order=OuterRef("pk"), created_at__gt=long_ago)
    for order in due_points().filter(~Exists(moved)).order_by("pk").iterator():
        yield Difference(
            "points-booked",
            f"order {order}",
            _("status %(status)s, its points are not booked"),
            status=label_of(OrderStatus, order.status),
        )


@about(_WITH_POINTS)
def _points_of_orders() -> Iterator[Difference]:
    """Compare the points that each order earned and spent with the rule and with its entries."""
    mine = LedgerEntry.objects.filter(
        account__customer=OuterRef("customer"), account__kind=LedgerAccount.Kind.points
    )
    of_order = mine.alias(order_no=ORDER_OF_ENTRY).filter(order_no=OuterRef("order_no")).order_by()
    earned, spent = (
        Coalesce(Subquery(_sum_of(of_order.filter(reason__in=reasons))), ZERO)
        for reasons in (EARNING, SPENDING)
    )
    with_points = _WITH_POINTS.annotate(
        earned=earned, spent=spent, worth=Floor(cents(F("points_rate") * _GOODS_PAID))
    )
    is_right = Q(points_earned=F("earned")) & (
        Q(points_booked_at=None, points_earned=0)
        | Q(status=OrderStatus.chargeback, points_earned=0)
        | Q(points_booked_at__isnull=False, points_earned=F("worth"))
    )
    is_right &= Q(spent=F("points_returned") - F("points")) | Q(
        status=OrderStatus.canceled, paid_at=None, spent=0
    )
    # SQLite multiplies binary fractions, so Python compares exactly.
    for order in with_points.exclude(is_right).order_by("pk").iterator():
        should = points_of(order) if order.points_booked_at else 0
        if not order.points_earned == order.earned == should:
            yield Difference(
                "points-earned",
                f"order {order}",
                _("%(earned)s points earned, entries %(entries)s, by the rule %(should)s"),
                earned=order.points_earned,
                entries=f"{order.earned:.0f}",
                should=should,
            )
        has_ended_unpaid = order.status == OrderStatus.canceled and order.paid_at is None
        owed = 0 if has_ended_unpaid else order.points - order.points_returned
        if -order.spent != owed:
            yield Difference(
                "points-spent",
                f"order {order}",
                _("%(owed)s points spent, entries %(entries)s"),
                owed=owed,
                entries=f"{-order.spent:.0f}",
            )


def _sum_of(entries: QuerySet[LedgerEntry]) -> QuerySet[LedgerEntry, Any]:
    return entries.values("account").annotate(total=Sum("amount")).values("total")


@about(LedgerAccount.objects.filter(kind=LedgerAccount.Kind.points))
def _points_of_no_order() -> Iterator[Difference]:
    """Yield a difference for each entry whose order is not the customer's or has no points."""
    order = _WITH_POINTS.filter(order_no=OuterRef("named"), customer=OuterRef("account__customer"))
    entries = LedgerEntry.objects.filter(
        account__kind=LedgerAccount.Kind.points, reason__in=EARNING | SPENDING
    )
    lost = entries.annotate(named=ORDER_OF_ENTRY).filter(~Exists(order)).order_by("pk")
    for named, amount in lost.values_list("named", "amount").iterator():
        yield Difference(
            "points-of-an-order",
            f"order {named}",
            _("%(points)s points of no such order"),
            points=f"{amount:.0f}",
        )


@about(Order.objects.exclude(points_amount=0), OrderLine.objects.exclude(points_discount=0))
def _points_of_lines() -> Iterator[Difference]:
    """Compare the amount that points pay of each order with its lines."""
    total = Coalesce(Sum("lines__points_discount"), ZERO)
    orders = Order.objects.annotate(of_lines=cents(total)).exclude(points_amount=F("of_lines"))
    for order in orders.only("order_no", "points_amount").order_by("pk").iterator():
        if order.points_amount != aud(order.of_lines):
            yield Difference(
                "points-of-lines",
                f"order {order}",
                _("points pay %(amount)s, of lines %(of_lines)s"),
                amount=aud_text(order.points_amount),
                of_lines=aud_text(order.of_lines),
            )
