"""Continues an order whose dispute is over."""

from collections import Counter
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.stock.models import StockLevel
from catalog.stock.services import reserve, shipped_units
from commerce.delivery.models import DeliverySlot, PickupSlot
from commerce.delivery.services import book_slot, book_window
from commerce.orders.models import Order, OrderLine
from commerce.orders.points import earn_again
from commerce.orders.services import change_status, completes_at
from commerce.orders.services.receive import RECEIVABLE
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.shipments.services.ship import units_left
from commerce.shipments.services.track import set_completion
from core.counters import by_key
from core.errors import ShopError
from core.transactions import in_callers_transaction

Slot = TypeVar("Slot", PickupSlot, DeliverySlot)


@in_callers_transaction
def reinstate_order(
    *,
    order: Order,
    to: OrderStatus,
    pickup_slot: PickupSlot | None,
    delivery_slot: DeliverySlot | None,
    staff: User,
    note: str,
    reference: str,
) -> int:
    """Give a disputed order back its status, points, bookings and units; return the units that lack.

    Units that are not available any more count as unsent, and staff refund them. A slot or window that has
    begun, or is full, is not booked again: staff agree on a time with the customer. `to`, `pickup_slot`,
    `delivery_slot`: what the order had before. `reference`: of the dispute. Locks: the order's row, which the
    caller has locked, then the customer's points account, the slot or window, and stock by pk.
    """
    values: dict[str, Any] = {"complete_at": completes_at(order) if to in RECEIVABLE else None}
    change_status(order=order, to=to, reason=ChangeReason.dispute_over, staff=staff, note=note, **values)
    earn_again(order=order, reference=reference)
    _book_again(order, _if_ahead(pickup_slot), _if_ahead(delivery_slot))
    lacking = _reserve_again(order)
    if lacking and to == OrderStatus.partly_shipped and not units_left(order):
        to = OrderStatus.shipped
        change_status(order=order, to=to, reason=ChangeReason.rest_closed, staff=staff, note=note)
    if to in RECEIVABLE:
        order.refresh_from_db(fields=["complete_at"])
        set_completion(order)
    return lacking


def _if_ahead(slot: Slot | None) -> Slot | None:
    return slot if slot is not None and slot.starts_at > timezone.now() else None


def _book_again(order: Order, slot: PickupSlot | None, window: DeliverySlot | None) -> None:
    mine = Order.objects.filter(pk=order.pk)
    try:
        with transaction.atomic():
            if slot is not None:
                book_slot(shop=slot.shop, starts_at=slot.starts_at)
                mine.update(pickup_slot=slot)
            if window is not None:
                ends_at = book_window(starts_at=window.starts_at).ends_at
                mine.update(delivery_slot=window, delivery_until=ends_at)
    except ShopError:
        return


def _reserve_again(order: Order) -> int:
    """Reserve what an order has not sent, product by product; return the units that lack."""
    wanted = Counter[int]()
    for product, amount, unsent in order.lines.values_list("product_id", "amount", "unsent"):
        wanted[product] += amount - unsent
    wanted -= Counter(shipped_units(reference=order.order_no))
    # In the order in which stock is locked.
    levels = StockLevel.objects.filter(location=order.location, product__in=wanted).order_by("pk")
    lacking = Counter(wanted)
    for product in levels.values_list("product_id", flat=True):
        try:
            with transaction.atomic():
                units = {product: wanted[product]}
                reserve(location=order.location, units_by_product=units, reference=order.order_no)
            del lacking[product]
        except ShopError:
            continue
    if lacking:
        _leave_out(order, lacking)
    return lacking.total()


def _leave_out(order: Order, lacking: Counter[int]) -> None:
    """Count units of products as unsent, line by line."""
    rest, unsent = Counter(lacking), Counter[int]()
    left = units_left(order)
    for line, product in order.lines.filter(pk__in=left).order_by("pk").values_list("pk", "product_id"):
        unsent[line] = min(left[line], rest[product])
        rest[product] -= unsent[line]
    unsent = +unsent
    OrderLine.objects.filter(pk__in=unsent).update(unsent=F("unsent") + by_key(unsent))
