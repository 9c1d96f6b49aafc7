"""Closes what is left of an order that was partly shipped and whose rest cannot come."""

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
    """Note that what is left of an order will not be sent; the order goes on as shipped.

    What is still held of it is released. `note`: what becomes of the money for the rest, which the shop's
    books do not know. Locks: the order's row, then stock by pk, then its lines.
    Raises ShopError(note_missing, order_moved). See docs/guarantees/orders.md#order-lines.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": "note_missing"})
    move_order(order=order, move=Move.cancel_unshipped, seen=seen, staff=staff, note=note)
    # Read once the order's row is locked, so that no parcel takes units of it in the meantime.
    left = units_left(order)
    OrderLine.objects.filter(pk__in=left).update(unsent=F("unsent") + by_key(left))
    order.refresh_from_db(fields=["complete_at"])
    set_completion(order)
