"""Records that an order came back to the shop."""

from django.contrib.auth.models import User

from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
from commerce.shipments.models import ParcelState, Shipment
from core.transactions import in_transaction


@in_transaction
def record_return(*, order: Order, seen: OrderStatus, staff: User | None = None, note: str = "") -> None:
    """Record that an order came back; the units of its undelivered parcels can be sent again.

    They are not restocked, since they belong to the customer. Locks: the order's row, its parcels. Raises
    ShopError(order_moved).
    """
    move_order(order=order, move=Move.record_return, seen=seen, staff=staff, note=note)
    under_way = Shipment.objects.filter(order=order, came_back_at=None).exclude(state=ParcelState.delivered)
    # The time of the change, by which `undo_move` finds these parcels.
    under_way.update(came_back_at=order.history.latest("pk").created_at, next_check_at=None)
