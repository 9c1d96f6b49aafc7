"""The rules of parcels that the audit checks (docs/guarantees/orders.md#order-lines)."""

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce, Least
from django.utils.translation import gettext_noop as _

from catalog.stock.models import Reservation
from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order, OrderLine
from commerce.orders.status import OrderStatus
from commerce.shipments.models import ParcelState, Shipment, ShipmentLine, TrackingEvent
from core.audit import Difference, about, label_of, run_rules

# No units of these orders are reserved any more: they left the shop or were released.
_LEFT = Q(
    status__in=[
        OrderStatus.shipped,
        OrderStatus.out_for_delivery,
        OrderStatus.completed,
        OrderStatus.chargeback,
    ]
)
_SENT = Q(status__in=[OrderStatus.shipped, OrderStatus.partly_shipped])
_HELD = Exists(Reservation.objects.filter(reference=OuterRef("order_no"), state=Reservation.State.held))


def differences() -> Iterator[Difference]:
    """Yield a difference for each contradiction between parcels, tracking events, stock and order status."""
    yield from run_rules(_left_whole, _in_parcels, _too_many, _states)


@about(Order.objects.filter(_LEFT))
def _left_whole() -> Iterator[Difference]:
    for order in Order.objects.filter(_HELD, _LEFT).order_by("pk").iterator():
        status = label_of(OrderStatus, order.status)
        yield Difference(
            "left-whole", f"order {order}", _("status %(status)s, units of it are held"), status=status
        )


@about(Order.objects.filter(_SENT | Q(shipping_type=ShippingType.pickup)))
def _in_parcels() -> Iterator[Difference]:
    """Check that shipped orders are wholly in parcels, partly shipped ones in part, pick-ups not at all."""
    lines, units = OrderLine.objects.filter(order=OuterRef("pk")), F("amount") - F("unsent")
    rows = Order.objects.annotate(
        to_send=_total(lines, "order", units),
        # Of units that came back, the refunded ones are not sent again.
        at_least=_total(lines, "order", Least(units, F("amount") - F("refunded_units"))),
        sent=_total(
            OrderLine.objects.filter(order=OuterRef("pk"), shipped__shipment__came_back_at=None),
            "order",
            "shipped__units",
        ),
    )
    is_wrong = Q(status=OrderStatus.shipped) & ~Q(sent__lte=F("to_send"), sent__gte=F("at_least"))
    is_wrong |= Q(status=OrderStatus.partly_shipped) & (Q(sent=0) | Q(sent__gte=F("to_send")))
    is_wrong |= Q(shipping_type=ShippingType.pickup, sent__gt=0)
    for order in rows.filter(is_wrong).order_by("pk").iterator():
        yield Difference(
            "parcels-of-order",
            f"order {order}",
            _("status %(status)s, %(sent)s of %(to_send)s units are in parcels"),
            status=label_of(OrderStatus, order.status),
            sent=order.sent,
            to_send=order.to_send,
        )


@about(ShipmentLine)
def _too_many() -> Iterator[Difference]:
    """Yield a difference for each line with more units in parcels than are to be sent."""
    on_their_way = Sum("shipped__units", filter=Q(shipped__shipment__came_back_at=None))
    lines = OrderLine.objects.annotate(sent=on_their_way).filter(sent__gt=F("amount") - F("unsent"))
    for line in lines.order_by("pk").iterator():
        yield Difference(
            "units-in-parcels",
            f"order line {line.pk}",
            _("%(sent)s of %(amount)s units are in parcels"),
            sent=line.sent,
            amount=line.amount,
        )


@about(Shipment)
def _states() -> Iterator[Difference]:
    """Compare the state of each parcel with its newest event."""
    newest = TrackingEvent.objects.filter(shipment=OuterRef("pk")).order_by("-time", "-pk")
    last = Coalesce(Subquery(newest.values("status")[:1]), Value(ParcelState.pending.value))
    parcels = Shipment.objects.annotate(last=last).exclude(state=F("last")).order_by("pk")
    for pk, state, newest in parcels.values_list("pk", "state", "last").iterator():
        yield Difference(
            "parcel-state",
            f"parcel {pk}",
            _("state %(state)s, its newest event %(newest)s"),
            state=label_of(ParcelState, state),
            newest=label_of(ParcelState, newest),
        )


def _total(rows: QuerySet[OrderLine], by: str, column: str | CombinedExpression | Least) -> Coalesce:
    total = rows.order_by().values(by).annotate(total=Sum(column)).values("total")
    return Coalesce(Subquery(total), 0)
