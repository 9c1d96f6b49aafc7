"""Rules of refunds that the audit checks (docs/guarantees/money.md#refunds-of-orders)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import DecimalField, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Floor
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from catalog.stock.models import Reservation
from commerce.orders.models import Order, OrderLine
from commerce.orders.points import points_of_refunds
from commerce.payments.models import Refund
from commerce.refunds.models import (
    CancellationRequest,
    CreditNote,
    OrderRefund,
    OrderRefundLeg,
    OrderRefundLine,
)
from commerce.refunds.services.credit_notes import due_credit_notes, stored_hash
from core.audit import Difference, about, cents, run_rules
from core.money import ZERO, aud_text
from core.shop import seller

# A generous limit: the job that makes them runs each minute.
MADE_WITHIN = timedelta(hours=1)
# The files of this many newest credit notes are read.
FILES = 5_000
# Orders that are read in one batch.
ROWS = 500
# The lines that agree if they have no refund.
_WITHOUT_REFUND = Q(refunded_units=0, refunded_amount=0, gst__gte=0, unsent__gte=0)
_WITHOUT_REFUND &= Q(discount__lte=F("line_total") - F("points_discount"))


def differences() -> Iterator[Difference]:
    """Yield a difference for each refund that the order, its payments or its credit note contradict."""
    yield from run_rules(
        _lines, _freight, _goods, _points, _sums, _legs, _lost_legs, _restocked, _due, _files, _requests
    )


@about(OrderRefundLine, OrderLine.objects.exclude(_WITHOUT_REFUND))
def _lines() -> Iterator[Difference]:
    """Compare the counters of each line with its refunds, and with what was paid for it."""
    of_line = OrderRefundLine.objects.filter(line=OuterRef("pk"))
    lines = OrderLine.objects.annotate(
        units_back=_total(of_line, "line", "units"),
        dollars_back=_total(of_line, "line", "amount"),
        gst_back=_total(of_line, "line", "gst"),
        left_out=_total(of_line, "line", "unsent"),
    )
    is_wrong = ~Q(refunded_units=F("units_back")) | ~Q(cents_counted=F("cents_back"))
    is_wrong |= Q(refunded_amount__gt=F("paid")) | Q(gst_over__gt=0) | Q(unsent__lt=F("left_out"))
    wrong = lines.annotate(
        cents_counted=cents(F("refunded_amount")),
        cents_back=cents(F("dollars_back")),
        paid=cents(F("line_total") - F("discount") - F("points_discount")),
        gst_over=cents(F("gst_back") - F("gst")),
    ).filter(is_wrong)
    for line in wrong.order_by("pk").iterator():
        yield Difference(
            "refunded-line",
            f"order line {line.pk}",
            _(
                "%(units)s units counted, %(units_back)s given back, %(unsent)s not sent; "
                "%(amount)s counted, %(amount_back)s given back, %(paid)s paid"
            ),
            units=line.refunded_units,
            units_back=f"{line.units_back:.0f}",
            unsent=line.unsent,
            amount=aud_text(line.refunded_amount),
            amount_back=aud_text(line.dollars_back),
            paid=aud_text(line.in_money),
        )


@about(OrderRefund, Order.objects.exclude(refunded_freight=0))
def _freight() -> Iterator[Difference]:
    refunds = OrderRefund.objects.filter(order=OuterRef("pk"))
    orders = Order.objects.annotate(back=_total(refunds, "order", "freight_amount"))
    wrong = orders.annotate(difference=cents(F("refunded_freight") - F("back"))).exclude(difference=0)
    for order in wrong.order_by("pk").iterator():
        yield Difference(
            "refunded-freight",
            f"order {order}",
            _("delivery cost of %(counted)s counted, %(back)s given back"),
            counted=aud_text(order.refunded_freight),
            back=aud_text(order.back),
        )


@about(OrderRefund, Order.objects.exclude(goods_refunded=0))
def _goods() -> Iterator[Difference]:
    """Compare each order's `goods_refunded`, which points and member levels subtract, with its refunds."""
    refunds = OrderRefund.objects.filter(order=OuterRef("pk"))
    orders = Order.objects.annotate(back=_total(refunds, "order", "goods_amount"))
    wrong = orders.annotate(difference=cents(F("goods_refunded") - F("back"))).exclude(difference=0)
    for order in wrong.order_by("pk").iterator():
        yield Difference(
            "refunded-goods",
            f"order {order}",
            _("products for %(counted)s counted, %(back)s given back"),
            counted=aud_text(order.goods_refunded),
            back=aud_text(order.back),
        )


@about(Order.objects.filter(points_amount__gt=0))
def _points() -> Iterator[Difference]:
    """Compare the points that each order has returned with the units of its refunds."""
    share = F("points_discount") * F("refunded_units") / F("amount")
    lines = OrderLine.objects.filter(order=OuterRef("pk")).order_by().values("order")
    paid_by_points = Coalesce(
        Subquery(lines.annotate(total=Sum(share, output_field=DecimalField())).values("total")),
        ZERO,
        output_field=DecimalField(),
    )
    orders = Order.objects.filter(points_amount__gt=0, paid_at__isnull=False)
    surely_right = Q(points_returned=Floor(F("points") * paid_by_points / F("points_amount")))
    # The database rounds, so orders that may be wrong are calculated again exactly.
    for order in orders.exclude(surely_right).order_by("pk").prefetch_related("lines").iterator(ROWS):
        should = points_of_refunds(order)
        if order.points_returned != should:
            yield Difference(
                "points-returned",
                f"order {order}",
                _("%(points)s points given back, %(should)s have paid for what was refunded"),
                points=order.points_returned,
                should=should,
            )


@about(OrderRefund)
def _sums() -> Iterator[Difference]:
    """Compare each refund with its lines."""
    lines = OrderRefundLine.objects.filter(order_refund=OuterRef("pk"))
    refunds = OrderRefund.objects.annotate(
        of_lines=_total(lines, "order_refund", "amount"), gst_of_lines=_total(lines, "order_refund", "gst")
    ).annotate(
        difference=cents(F("goods_amount") - F("of_lines")),
        gst_difference=cents(F("gst") - F("gst_of_lines")),
    )
    for refund in refunds.exclude(difference=0, gst_difference=0).order_by("pk").iterator():
        yield Difference(
            "refund-sum",
            f"order refund {refund}",
            _("products %(amount)s, its lines %(of_lines)s; GST %(gst)s, its lines %(gst_of_lines)s"),
            amount=aud_text(refund.goods_amount),
            of_lines=aud_text(refund.of_lines),
            gst=aud_text(refund.gst),
            gst_of_lines=aud_text(refund.gst_of_lines),
        )


@about(OrderRefund)
def _legs() -> Iterator[Difference]:
    """Compare the amount of each refund with the money of its legs."""
    legs = OrderRefundLeg.objects.filter(
        order_refund=OuterRef("pk"), refund__payment__order=OuterRef("order"), refund__currency="AUD"
    )
    refunds = OrderRefund.objects.annotate(money=_total(legs, "order_refund", "refund__amount"))
    wrong = refunds.annotate(difference=cents(F("goods_amount") + F("freight_amount") - F("money")))
    for refund in wrong.exclude(difference=0).order_by("pk").iterator():
        yield Difference(
            "refund-money",
            f"order refund {refund}",
            _("%(amount)s, of which %(money)s goes back"),
            amount=aud_text(refund.amount),
            money=aud_text(refund.money),
        )


@about(Refund)
def _lost_legs() -> Iterator[Difference]:
    """Yield a difference for each refund of money that no order refund explains."""
    legs = OrderRefundLeg.objects.filter(refund=OuterRef("pk"))
    lost = Refund.objects.filter(~Exists(legs), reason=Refund.Reason.order_refund)
    for refund in lost.order_by("pk").iterator():
        yield Difference(
            "refund-money",
            f"refund {refund.reference}",
            _("%(amount)s of no order’s refund"),
            amount=f"{refund.currency} {refund.amount}",
        )


@about(OrderRefundLine)
def _restocked() -> Iterator[Difference]:
    """Yield a difference for each product of which an order restocked more units than it had shipped."""
    shipped = Reservation.objects.filter(
        reference=OuterRef("line__order__order_no"),
        level__product=OuterRef("line__product"),
        state=Reservation.State.shipped,
    )
    back = (
        OrderRefundLine.objects.filter(restocked__gt=0)
        .order_by()
        .values("line__order__order_no", "line__product")
        .annotate(units=Sum("restocked"), left=_total(shipped, "reference", "units"))
    )
    for row in back.filter(units__gt=F("left")).iterator():
        yield Difference(
            "restocked",
            f"order {row['line__order__order_no']}",
            _("%(units)s units of product %(product)s came back, %(left)s had left"),
            units=row["units"],
            product=row["line__product"],
            left=row["left"],
        )


@about(OrderRefund)
def _due() -> Iterator[Difference]:
    # Without the shop's ABN none can be made; the dashboard shows that to staff.
    if seller() is None:
        return
    for refund in due_credit_notes().filter(created_at__lt=timezone.now() - MADE_WITHIN).iterator():
        yield Difference("credit-note-made", f"order refund {refund}", _("its credit note is not made"))
    # A refund of points alone has no credit note.
    of_money = OrderRefund.objects.filter(Q(goods_amount__gt=0) | Q(freight_amount__gt=0))
    unmade = of_money.filter(credit_note_due=False, credit_note=None)
    for refund in unmade.order_by("pk").iterator():
        yield Difference(
            "credit-note-made", f"order refund {refund}", _("without a credit note, and none is due")
        )


@about(CreditNote)
def _files() -> Iterator[Difference]:
    # A credit note whose file was deleted has no hash.
    kept = CreditNote.objects.exclude(sha256="")
    for note in kept.select_related("order_refund").order_by("-pk")[:FILES]:
        found = stored_hash(note)
        if found != note.sha256:
            yield Difference(
                "credit-note-file",
                f"credit note {note}",
                _("its file is missing") if found is None else _("its file is not the one that was made"),
            )


@about(CancellationRequest)
def _requests() -> Iterator[Difference]:
    """Yield a difference for each confirmed request to cancel whose order was not refunded."""
    confirmed = CancellationRequest.objects.filter(state=CancellationRequest.State.confirmed)
    refunds = OrderRefund.objects.filter(order=OuterRef("order"))
    for request in confirmed.exclude(Exists(refunds)).select_related("order").order_by("pk").iterator():
        yield Difference("cancellation-request", f"order {request}", _("cancelled on request, not refunded"))


def _total(rows: QuerySet[Any], by: str, column: str) -> Coalesce:
    total = rows.order_by().values(by).annotate(total=Sum(column)).values("total")
    return Coalesce(Subquery(total), ZERO, output_field=DecimalField())
