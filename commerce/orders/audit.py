"""The rules of orders that the audit checks (docs/guarantees.md)."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from catalog.promotions.models import PromotionItem
from catalog.stock.models import Reservation
from commerce.delivery.models import PickupSlot
from commerce.orders.models import Order, OrderLine, PromotionUse, Trade
from commerce.orders.sales import due_sales
from commerce.orders.status import OrderStatus
from core.money import aud

State = Reservation.State
# The sweep of each minute has long counted what was paid before.
COUNTED_WITHIN = timedelta(hours=1)


def differences() -> Iterator[str]:
    """Name each line, hold, slot, code and order that contradicts another."""
    yield from _lines()
    yield from _holds()
    yield from _slots()
    yield from _offers()
    yield from _codes()
    yield from _totals()
    yield from _sales()


def _lines() -> Iterator[str]:
    held = (
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
    canceled = Q(order__status=OrderStatus.canceled)
    products = (
        OrderLine.objects.order_by()
        .values("order", "order__order_no", "product", "sku")
        .annotate(owed=Coalesce(Sum("amount", filter=~canceled), 0), held=Coalesce(Subquery(held), 0))
    )
    for row in products.exclude(held=F("owed")):
        yield (
            f"order {row['order__order_no']}: {row['held']} units of {row['sku']} are held,"
            f" {row['owed']} should be"
        )


def _holds() -> Iterator[str]:
    line = OrderLine.objects.filter(order__order_no=OuterRef("reference"), product=OuterRef("level__product"))
    for hold in Reservation.objects.filter(~Exists(line), state=State.held):
        yield f"reservation {hold.pk}: no order line {hold.reference}"


def _slots() -> Iterator[str]:
    live = Count("orders", filter=~Q(orders__status=OrderStatus.canceled))
    for slot in PickupSlot.objects.annotate(live=live).exclude(booked=F("live")):
        yield f"pick-up slot {slot.pk}: booked {slot.booked}, orders {slot.live}"


def _offers() -> Iterator[str]:
    """Compare what promotions and their customers have counted with the lines of living orders."""
    lines = OrderLine.objects.exclude(order__status=OrderStatus.canceled).filter(promotion__isnull=False)
    ordered: Counter[tuple[int, int]] = Counter()
    by_customer: Counter[tuple[int, int, int]] = Counter()
    columns = lines.values_list("order__customer", "promotion", "product", "amount")
    for customer, promotion, product, amount in columns.iterator():
        if promotion is not None:
            ordered[promotion, product] += amount
            by_customer[customer, promotion, product] += amount
    for item in PromotionItem.objects.iterator():
        units = ordered[item.promotion_id, item.product_id]
        if item.taken != units:
            yield f"promotion {item.promotion_id}, product {item.product_id}: {item.taken} taken, not {units}"
    for use in PromotionUse.objects.select_related("item").iterator():
        units = by_customer[use.customer_id, use.item.promotion_id, use.item.product_id]
        if use.amount != units:
            yield f"promotion use {use.pk}: {use.amount} counted, {units} ordered"


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


def _sales() -> Iterator[str]:
    for order in due_sales().filter(paid_at__lt=timezone.now() - COUNTED_WITHIN).iterator():
        yield f"order {order}: paid {order.paid_at:%Y-%m-%d %H:%M}, its sales are not counted"
