"""Performs staff's order actions on paid orders (docs/guarantees/orders.md#status-changes)."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from catalog.stock.services import held_units, release, ship
from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order
from commerce.orders.moves import RULES, Move, is_offered
from commerce.orders.services.change_status import change_status
from commerce.orders.services.receive import RECEIVABLE
from commerce.orders.status import OrderStatus
from core.errors import Err, ShopError
from core.transactions import in_transaction

# With these actions the whole order leaves the shop.
_LEAVING = frozenset({Move.hand_over, Move.send_out})


@in_transaction
def move_order(
    *,
    order: Order,
    move: Move,
    seen: OrderStatus,
    staff: User | None = None,
    note: str = "",
    pickup_code: str = "",
) -> None:
    """Perform a staff action on an order, once; units that leave the shop are removed from stock.

    `seen`: the status that the staff page showed. `pickup_code`: the six digits that a customer shows for
    `Move.hand_over`; empty for orders of releases without codes. `note`: for `Move.ask` the question, which
    the customer reads; otherwise only staff read it.
    Locks: the order's row, then the customer's points account, the slot or window, and stock by pk.
    Raises ShopError(order_moved, pickup_code_wrong, note_missing, not_receivable).
    """
    order.refresh_from_db(fields=["status", "pickup_slot", "delivery_slot"])
    if order.status != seen or not is_offered(move, order):
        raise ShopError(Err.order_moved)
    if move == Move.hand_over and not constant_time_compare(pickup_code.strip(), order.pickup_code):
        raise ShopError(Err.pickup_code_wrong, fields={"pickupCode": "pickup_code_wrong"})
    if move == Move.ask and not note.strip():
        raise ShopError(Err.note_missing, fields={"note": "note_missing"})
    rule = RULES[move]
    values: dict[str, Any] = {"complete_at": None}
    if rule.to in RECEIVABLE:
        values["complete_at"] = completes_at(order)
    if not change_status(order=order, to=rule.to, reason=rule.reason, staff=staff, note=note, **values):
        raise ShopError(Err.order_moved)
    if move in _LEAVING:
        ship(reference=order.order_no)
    elif move == Move.cancel_unshipped:
        release(references=[order.order_no])
    elif move == Move.deliver and held_units(reference=order.order_no):
        # A parcel came back before the others were sent: these must be packed and sent first.
        raise ShopError(Err.not_receivable)


def completes_at(order: Order, *, sent_at: datetime | None = None) -> datetime:
    """Return the time when an order counts as received without a confirmation; `sent_at`: now by default."""
    is_abroad = order.shipping_type == ShippingType.abroad
    days = settings.COMPLETE_ABROAD_AFTER_DAYS if is_abroad else settings.COMPLETE_AFTER_DAYS
    return (sent_at or timezone.now()) + timedelta(days=days)
