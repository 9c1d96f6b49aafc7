"""Stops an order whose payment is disputed, and earns its points again once the dispute is over."""

from django.contrib.auth.models import User

from catalog.stock.services import release
from commerce.ledger.models import LedgerEntry
from commerce.orders.models import Order
from commerce.orders.points import reverse_points
from commerce.orders.services.bookings import release_bookings
from commerce.orders.services.change_status import change_status
from commerce.orders.status import PAID_CODES, TRANSITIONS, ChangeReason, OrderStatus
from core.transactions import in_callers_transaction

# In these statuses no units have left, so the slot or window can serve another order.
_BEFORE_DISPATCH = PAID_CODES | {OrderStatus.ready}


@in_callers_transaction
def dispute_order(*, order: Order, staff: User | None, note: str, reference: str) -> bool:
    """Stop an order because its payment is disputed; return False if its status stays.

    Reserved units are released and earned points are taken back. If no units have left yet, the slot or
    window is released too. An order that is not paid, or is disputed already, stays as it is. `reference`: of
    the dispute. Locks: the order's row, which the caller has locked, then the customer's points account, the
    slot or window, and stock by pk.
    """
    seen = OrderStatus(order.status)
    if OrderStatus.chargeback not in TRANSITIONS[seen]:
        return False
    values = {"complete_at": None}
    if seen in _BEFORE_DISPATCH:
        values |= {"pickup_slot": None, "delivery_slot": None}
    to, reason = OrderStatus.chargeback, ChangeReason.dispute
    if not change_status(order=order, to=to, reason=reason, staff=staff, note=note, **values):
        return False
    reverse_points(order=order, reason=LedgerEntry.Reason.chargeback, reference=reference)
    if seen in _BEFORE_DISPATCH:
        release_bookings([order])
    release(references=[order.order_no])
    return True
