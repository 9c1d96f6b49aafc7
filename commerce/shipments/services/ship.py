"""Hands parcels of an order to a carrier."""

import re
from collections import Counter
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce, Least
from django.utils import timezone

from catalog.stock.services import ship
from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order
from commerce.orders.services import change_status
from commerce.orders.status import TRANSITIONS, ChangeReason, OrderStatus
from commerce.shipments.models import Carrier, Shipment, ShipmentLine
from commerce.shipments.services.track import set_completion
from core.errors import Err, ShopError
from core.transactions import in_transaction

_TRACKING_NO = re.compile(r"[0-9A-Z][0-9A-Z-]{3,39}")


def read_tracking_no(text: str) -> str:
    """Return a tracking number in capitals, without spaces; raises ShopError(tracking_number_error)."""
    number = "".join(text.split()).upper()
    if not _TRACKING_NO.fullmatch(number):
        raise ShopError(Err.tracking_number_error, fields={"trackingNo": "tracking_number_error"})
    return number


def units_left(order: Order) -> dict[int, int]:
    """Return the units of an order's lines that are still to be sent; one query.

    Order line id → units, at least 1. Of units that came back, the refunded ones are not sent again.
    """
    on_their_way = Sum("shipped__units", filter=Q(shipped__shipment__came_back_at=None))
    unsent = F("amount") - F("unsent") - Coalesce(on_their_way, 0)
    lines = order.lines.order_by("pk").annotate(left=Least(unsent, F("amount") - F("refunded_units")))
    return dict(lines.filter(left__gt=0).values_list("pk", "left"))


def can_ship(order: Order) -> bool:
    """Return True if a parcel of an order can be handed to a carrier now."""
    status = OrderStatus(order.status)
    can_be_shipped = status != OrderStatus.chargeback and OrderStatus.shipped in TRANSITIONS[status]
    return order.shipping_type != ShippingType.pickup and can_be_shipped


@in_transaction
def ship_parcel(
    *,
    order: Order,
    carrier: Carrier,
    tracking_no: str,
    units: Mapping[int, int] | None = None,
    staff: User | None = None,
    note: str = "",
) -> Shipment:
    """Hand a parcel to a carrier: its units leave the stock, and its order is shipped or partly shipped.

    A repeated call with the same tracking number returns the same parcel and changes nothing. `units`: order
    line id → units in the parcel, 0 for none; by default all that is left. Locks: the order's row, then stock
    by pk. Raises ShopError(tracking_number_error, order_moved, nothing_to_ship). See
    docs/guarantees/orders.md#order-lines.
    """
    number = read_tracking_no(tracking_no)
    # The lock makes concurrent parcels of an order see each other's units.
    order = Order.objects.select_for_update(no_key=True).get(pk=order.pk)
    sent = order.shipments.filter(carrier=carrier, tracking_no=number).first()
    if sent is not None:
        if sent.came_back_at:
            raise ShopError(Err.tracking_number_error, fields={"trackingNo": "tracking_number_error"})
        return sent
    if not can_ship(order):
        raise ShopError(Err.order_moved)
    left = units_left(order)
    parcel = left if units is None else {line: count for line, count in units.items() if count}
    if not parcel or any(count < 0 or count > left.get(line, 0) for line, count in parcel.items()):
        raise ShopError(Err.nothing_to_ship)
    _move(order, is_last=parcel == left, staff=staff, note=note)
    shipment = Shipment.objects.create(
        order=order,
        number=order.shipments.count() + 1,
        carrier=carrier,
        tracking_no=number,
        next_check_at=timezone.now() if carrier.provider_code else None,
    )
    ShipmentLine.objects.bulk_create(
        ShipmentLine(shipment=shipment, line_id=line, units=count) for line, count in parcel.items()
    )
    by_product: Counter[int] = Counter()
    for line, product in order.lines.filter(pk__in=parcel).values_list("pk", "product_id"):
        by_product[product] += parcel[line]
    ship(reference=order.order_no, at_most=by_product)
    set_completion(order)
    return shipment


def _move(order: Order, *, is_last: bool, staff: User | None, note: str) -> None:
    """Change an order's status to shipped with its last parcel, else partly shipped; notify the customer."""
    moved = change_status(
        order=order,
        to=OrderStatus.shipped if is_last else OrderStatus.partly_shipped,
        reason=ChangeReason.shipment,
        staff=staff,
        note=note,
    )
    if not moved:
        raise ShopError(Err.order_moved)
