"""Releases pick-up slots and delivery windows that orders will not use."""

from collections import Counter
from collections.abc import Sequence

from commerce.delivery.services import release_slots, release_windows
from commerce.orders.models import Order
from core.transactions import in_callers_transaction


@in_callers_transaction
def release_bookings(orders: Sequence[Order]) -> None:
    """Release the pick-up slots and delivery windows of orders; call it once for each order.

    Locks: the slots by pk, then the windows by pk.
    """
    release_slots(Counter(order.pickup_slot_id for order in orders if order.pickup_slot_id is not None))
    release_windows(Counter(order.delivery_slot_id for order in orders if order.delivery_slot_id is not None))
