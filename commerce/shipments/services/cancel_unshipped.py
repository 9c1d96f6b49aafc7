"""Closes the unsent rest of a partly shipped order."""

from django.contrib.auth.models import User
from django.db.models import F

from commerce.orders.models import Order, OrderLine
from commerce.orders.moves import Move
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
from commerce.shipments.services.ship import units_left
from commerce.shipments.services.track import set_completion
from core.counters import by_key
from core.errors import Err, ShopError
from core.transactions import in_transaction


@in_transaction
def cancel_unshipped(*, order: Order, seen: OrderStatus, note: str, staff: User | None = None) -> None:
    """Record that an order's unsent units will not be sent; the order continues as shipped.

    Their reservations are released. `note`: what happens to the money for the rest, which the shop's books do
    not know. Locks: the order's row, then stock by pk, then its lines. Raises ShopError(note_missing,
    order_moved). See docs/guarantees/orders.md#order-lines.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": "note_missing"})
    move_order(order=order, move=Move.cancel_unshipped, seen=seen, staff=staff, note=note)
    # Read after the order's row is locked, so that no concurrent parcel takes these units.
    left = units_left(order)
    OrderLine.objects.filter(pk__in=left).update(unsent=F("unsent") + by_key(left))
    order.refresh_from_db(fields=["complete_at"])
    set_completion(order)
