"""Services for orders, one file per verb."""

from commerce.orders.services.cancel import cancel_order, expire_due_orders, expire_orders
from commerce.orders.services.change_status import change_status
from commerce.orders.services.find import find_order
from commerce.orders.services.fulfil import completes_at, move_order
from commerce.orders.services.notes import add_note
from commerce.orders.services.paid import mark_paid, pay_in_time
from commerce.orders.services.place import place_order
from commerce.orders.services.preview import preview_order
from commerce.orders.services.receive import complete_due_orders, receive_order
from commerce.orders.services.trade import open_trade
from commerce.orders.services.unpaid import has_paid_order

__all__ = [
    "add_note",
    "cancel_order",
    "change_status",
    "complete_due_orders",
    "completes_at",
    "expire_due_orders",
    "expire_orders",
    "find_order",
    "has_paid_order",
    "mark_paid",
    "move_order",
    "open_trade",
    "pay_in_time",
    "place_order",
    "preview_order",
    "receive_order",
]
