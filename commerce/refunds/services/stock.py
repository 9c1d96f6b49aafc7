"""Releases and restocks the units of a refund, and ends an order with nothing left to send."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet, Sum

from catalog.stock.models import StockMovement
from catalog.stock.services import held_units, lock_levels, receive, release_units, shipped_units
from commerce.orders.models import Order
from commerce.orders.services import completes_at
from commerce.orders.services.bookings import release_bookings
from commerce.orders.services.change_status import change_status
from commerce.orders.services.promotion_units import return_promotion_units
from commerce.orders.status import PAID_CODES, TRANSITIONS, ChangeReason, OrderStatus
from commerce.refunds.models import OrderRefund, OrderRefundLine
from commerce.refunds.worth import PricedRefund
from commerce.shipments.services import units_left
from commerce.shipments.services.track import set_completion
from commerce.vouchers.services import return_vouchers
from core.errors import Err, ShopError

# Orders in these statuses may still have units to send.
MAY_STILL_BE_SENT = PAID_CODES | {OrderStatus.ready, OrderStatus.partly_shipped, OrderStatus.returned}


def units_not_sent(order: Order, priced: PricedRefund) -> dict[int, int]:
    """Return the units of a refund that are still unsent and will not be sent any more; one query.

    Order line id → units, at least 1. A refund takes the unsent units of a line first. A disputed order may
    continue later, without these units.
    """
    left = units_left(order) if order.status in MAY_STILL_BE_SENT | {OrderStatus.chargeback} else {}
    not_sent = {each.line.pk: min(each.units, left.get(each.line.pk, 0)) for each in priced.lines}
    return {line: units for line, units in not_sent.items() if units}


def check_restocked(order: Order, priced: PricedRefund, not_sent: Mapping[int, int]) -> None:
    """Raise ShopError(restock_above_sent) if more units of a product are restocked than have left the shop.

    `not_sent`: order line id → units. At most three queries. `return_units` checks again, with the stock
    locked.
    """
    if any(each.restocked for each in priced.lines):
        left_out, _, _ = _by_product(priced, not_sent)
        held = held_units(reference=order.order_no)
        released = {product: min(units, held.get(product, 0)) for product, units in left_out.items()}
        _check_back(order, priced, not_sent, released, before=OrderRefundLine.objects.all())


def _by_product(priced: PricedRefund, not_sent: Mapping[int, int]) -> tuple[Counter[int], ...]:
    """Return the units of each product that are not sent any more, refunded, and restocked."""
    left_out, refunded, back = Counter[int](), Counter[int](), Counter[int]()
    for each in priced.lines:
        product = each.line.product_id
        left_out[product] += not_sent.get(each.line.pk, 0)
        refunded[product] += each.units
        back[product] += each.restocked
    return left_out, refunded, +back


def _check_back(
    order: Order,
    priced: PricedRefund,
    not_sent: Mapping[int, int],
    released: Mapping[int, int],
    *,
    before: QuerySet[OrderRefundLine],
) -> None:
    """Check restocked units. `released`: product id → units that never left; `before`: earlier refunds."""
    _, refunded, back = _by_product(priced, not_sent)
    lines = before.filter(order_refund__order=order).order_by()
    back_before = dict(lines.values_list("line__product").annotate(total=Sum("restocked")))
    shipped = shipped_units(reference=order.order_no)
    for product, units in back.items():
        most = min(
            refunded[product] - released.get(product, 0),
            shipped.get(product, 0) - back_before.get(product, 0),
        )
        if units > most:
            raise ShopError(Err.restock_above_sent)


def return_units(refund: OrderRefund, priced: PricedRefund, not_sent: Mapping[int, int]) -> None:
    """Release the reserved units of a refund, and restock the units that came back.

    `not_sent`: order line id → units. Locks: the location where units come back, then stock by pk. Raises
    ShopError(restock_above_sent) for more units than have left the shop.
    """
    order = refund.order
    left_out, refunded, back = _by_product(priced, not_sent)
    if back:
        lock_levels(location=order.location, product_ids=refunded)
    released = release_units(reference=order.order_no, at_most=left_out)
    if not back:
        return
    _check_back(
        order, priced, not_sent, released, before=OrderRefundLine.objects.exclude(order_refund=refund)
    )
    receive(
        location=order.location,
        units_by_product=back,
        reason=StockMovement.Reason.returned,
        reference=refund.number,
    )


def end_if_nothing_is_left(order: Order, *, staff: User | None, note: str) -> None:
    """End an order with nothing left to send.

    If nothing has left the shop, it is canceled and releases its scarce bookings. If everything came back, it
    is returned. If a parcel is on its way, it is shipped. Locks: as `cancel_order`, but for stock.
    """
    seen = OrderStatus(order.status)
    if seen not in MAY_STILL_BE_SENT or units_left(order):
        return
    values: dict[str, Any] = {}
    if order.shipments.filter(came_back_at=None).exists():
        to, values = OrderStatus.shipped, {"complete_at": completes_at(order)}
    elif shipped_units(reference=order.order_no):
        to = OrderStatus.returned
    else:
        to, values = OrderStatus.canceled, {"pickup_slot": None, "delivery_slot": None}
    if to not in TRANSITIONS[seen]:
        return
    _move(order, to, staff, note, values)
    if to == OrderStatus.shipped:
        order.refresh_from_db(fields=["complete_at"])
        set_completion(order)
    elif to == OrderStatus.canceled:
        release_bookings([order])
        return_promotion_units([order])
        if order.voucher_id is not None:
            return_vouchers([(order.customer_id, order.voucher_id)])


def _move(order: Order, to: OrderStatus, staff: User | None, note: str, values: dict[str, Any]) -> None:
    reason = ChangeReason.rest_closed if to == OrderStatus.shipped else ChangeReason.refunded
    if not change_status(order=order, to=to, reason=reason, staff=staff, note=note, **values):
        raise ShopError(Err.order_moved)
