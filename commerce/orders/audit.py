"""What must hold of orders (RELIABILITY 2.2, 2.5, 2.10, 2.12)."""

from collections.abc import Iterator

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce

from catalog.stock.models import Reservation
from commerce.delivery.models import PickupSlot
from commerce.orders.models import Order, OrderLine, Trade
from commerce.orders.status import OrderStatus
from core.money import aud

State = Reservation.State


def differences() -> Iterator[str]:
    """Name each line, hold, slot, code and order that contradicts another."""
    yield from _lines()
    yield from _holds()
    yield from _slots()
    yield from _codes()
    yield from _totals()


def _lines() -> Iterator[str]:
    kept = (
        Reservation.objects.filter(
            reference=OuterRef("order__order_no"),
            level__product=OuterRef("product"),
            level__location=OuterRef("order__location"),
            state__in=[State.held, State.shipped],
        )
        .values("reference")
        .annotate(total=Sum("units"))
        .values("total")
    )
    lines = OrderLine.objects.select_related("order").annotate(
        kept=Coalesce(Subquery(kept), 0, output_field=IntegerField()),
        owed=Case(
            When(order__status=OrderStatus.canceled, then=0), default=F("amount"), output_field=IntegerField()
        ),
    )
    for line in lines.exclude(kept=F("owed")):
        yield f"order {line.order}: {line.kept} units of {line.sku} are kept, {line.owed} should be"


def _holds() -> Iterator[str]:
    line = OrderLine.objects.filter(order__order_no=OuterRef("reference"), product=OuterRef("level__product"))
    for hold in Reservation.objects.filter(~Exists(line), state=State.held):
        yield f"reservation {hold.pk}: no order line {hold.reference}"


def _slots() -> Iterator[str]:
    live = Count("orders", filter=~Q(orders__status=OrderStatus.canceled))
    for slot in PickupSlot.objects.annotate(live=live).exclude(booked=F("live")):
        yield f"pick-up slot {slot.pk}: booked {slot.booked}, orders {slot.live}"


def _codes() -> Iterator[str]:
    for trade in Trade.objects.exclude(payload_hash="").filter(order=None):
        yield f"trade {trade.pk}: claimed without an order"
    for trade in Trade.objects.filter(payload_hash="").exclude(order=None):
        yield f"trade {trade.pk}: has an order, but nothing tells what was asked for"


def _totals() -> Iterator[str]:
    for order in Order.objects.annotate(total=Sum("lines__line_total")).iterator():
        total = aud(order.total or 0)
        if order.goods_amount != total:
            yield f"order {order}: goods {order.goods_amount}, lines {total}"
