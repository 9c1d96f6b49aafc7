"""The statuses of an order: their codes and labels on the wire, and the transitions between them.

See docs/product.md#order-statuses.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class OrderStatus(models.IntegerChoices):
    """All status codes of an order; `status_label` groups them into the wire's labels."""

    unpaid = 1, _("Unpaid")
    paid = 2, _("Paid")
    in_review = 0, _("Under review")
    picking = 3, _("Being picked")
    packed = 4, _("Packed")
    asking = 5, _("Waiting for the customer’s answer")
    awaiting_stock = 51, _("Waiting for stock")
    on_hold = 8, _("On hold")
    shipped = 6, _("Shipped")
    ready = 100, _("Ready for pick-up")
    out_for_delivery = 102, _("Out for delivery")
    partly_shipped = 106, _("Partly shipped")
    completed = 7, _("Completed")
    canceled = 10, _("Canceled")
    returned = 90, _("Came back")
    chargeback = 98, _("Chargeback")


# Paid and not yet on its way.
PAID_CODES = frozenset(
    {
        OrderStatus.in_review,
        OrderStatus.paid,
        OrderStatus.picking,
        OrderStatus.packed,
        OrderStatus.asking,
        OrderStatus.awaiting_stock,
        OrderStatus.on_hold,
    }
)
# On its way, or ready for pick-up.
UNRECEIVED_CODES = frozenset(
    {
        OrderStatus.shipped,
        OrderStatus.ready,
        OrderStatus.out_for_delivery,
        OrderStatus.partly_shipped,
    }
)
# Orders whose payment was received.
MONEY_CODES = PAID_CODES | UNRECEIVED_CODES | {OrderStatus.completed, OrderStatus.returned}

# A full refund ends an order as canceled if no units had left the shop, otherwise as returned.
_REFUNDED = frozenset({OrderStatus.canceled, OrderStatus.returned})
# A small shop may send a paid order without recording the picking and packing.
_TO_CUSTOMER = UNRECEIVED_CODES | {OrderStatus.chargeback} | _REFUNDED
TRANSITIONS: dict[int, frozenset[int]] = {
    OrderStatus.unpaid: frozenset({OrderStatus.paid, OrderStatus.canceled}),
    OrderStatus.paid: _TO_CUSTOMER
    | {
        OrderStatus.in_review,
        OrderStatus.picking,
        OrderStatus.packed,
        OrderStatus.asking,
        OrderStatus.awaiting_stock,
        OrderStatus.on_hold,
    },
    OrderStatus.in_review: _REFUNDED | {OrderStatus.paid, OrderStatus.on_hold, OrderStatus.chargeback},
    OrderStatus.on_hold: _REFUNDED | {OrderStatus.paid, OrderStatus.chargeback},
    OrderStatus.picking: _TO_CUSTOMER
    | {OrderStatus.packed, OrderStatus.asking, OrderStatus.awaiting_stock, OrderStatus.on_hold},
    OrderStatus.asking: _REFUNDED | {OrderStatus.picking, OrderStatus.on_hold, OrderStatus.chargeback},
    OrderStatus.awaiting_stock: _REFUNDED
    | {OrderStatus.picking, OrderStatus.on_hold, OrderStatus.chargeback},
    OrderStatus.packed: _TO_CUSTOMER | {OrderStatus.on_hold},
    # Each parcel is a status change, also a parcel between the first and the last one. It becomes shipped by
    # the last parcel, or when the rest is closed.
    OrderStatus.partly_shipped: frozenset(
        {OrderStatus.partly_shipped, OrderStatus.shipped, OrderStatus.returned, OrderStatus.chargeback}
    ),
    OrderStatus.shipped: frozenset({OrderStatus.completed, OrderStatus.returned, OrderStatus.chargeback}),
    # Packed: the customer was not at home, so the order comes back to the shop and goes out again.
    OrderStatus.out_for_delivery: frozenset(
        {OrderStatus.packed, OrderStatus.completed, OrderStatus.returned, OrderStatus.chargeback}
    ),
    # The order may not be collected, or may have been prepared by mistake.
    OrderStatus.ready: _REFUNDED | {OrderStatus.packed, OrderStatus.completed, OrderStatus.chargeback},
    # Canceled: an order that was ready for pick-up and is refunded has never left the shop.
    OrderStatus.returned: frozenset(
        {OrderStatus.packed, OrderStatus.completed, OrderStatus.canceled, OrderStatus.chargeback}
    ),
    OrderStatus.completed: frozenset({OrderStatus.chargeback}),
    # A late payment revives an expired order if its products can be reserved again, but not a refunded one.
    OrderStatus.canceled: frozenset({OrderStatus.paid}),
    # A dispute that the shop has won, or that was recorded by mistake, is undone.
    OrderStatus.chargeback: MONEY_CODES,
}
# The way back of an action that its member of staff undoes (`commerce.shipments.services.undo`).
UNDO_TRANSITIONS: dict[int, frozenset[int]] = {
    OrderStatus.completed: frozenset(
        {OrderStatus.shipped, OrderStatus.ready, OrderStatus.out_for_delivery, OrderStatus.returned}
    ),
    OrderStatus.returned: UNRECEIVED_CODES,
}

# The wire's filters for a list of orders, and the codes of each (docs/wire.md#orderinfo).
STATUS_GROUPS: dict[str, frozenset[int]] = {
    "unpaid": frozenset({OrderStatus.unpaid}),
    "paid": PAID_CODES,
    "unreceived": UNRECEIVED_CODES,
    "completed": frozenset({OrderStatus.completed}),
    "canceled": frozenset({OrderStatus.canceled}),
}

# Clients compare with these fixed URLs, so the names contain no content hash.
PAY_IN_STORE_IMAGE = "/static/img/pay-in-store.webp"
PAY_ON_DELIVERY_IMAGE = "/static/img/pay-on-delivery.webp"
IN_STORE_IMAGES = frozenset({PAY_IN_STORE_IMAGE, PAY_ON_DELIVERY_IMAGE})

_LABELS: dict[int, str] = {
    OrderStatus.completed: "Completed",
    OrderStatus.canceled: "Canceled",
    OrderStatus.chargeback: "Chargeback",
}


def status_label(code: int, pay_img: str) -> str:
    """Return the English label of a status code; clients expect exactly these texts."""
    if code == OrderStatus.unpaid:
        if not pay_img:
            return "Unpaid"
        return "Pay In Store" if pay_img in IN_STORE_IMAGES else "Pay By Transfer Waiting For Review"
    if code in PAID_CODES:
        return "Paid"
    if code in UNRECEIVED_CODES:
        return "Unreceived"
    return _LABELS.get(code, "Contact Customer Service")


def is_paid(code: int) -> bool:
    """Return True if an order with this status has been paid."""
    return code in MONEY_CODES


class ChangeReason(models.TextChoices):
    """The reason of a status change."""

    placed = "placed", _("Placed")
    payment = "payment", _("Payment received")
    customer = "customer", _("Cancelled by the customer")
    expired = "expired", _("Not paid in time")
    late_payment = "late_payment", _("Payment received after it was cancelled")
    staff = "staff", _("By staff")
    shipment = "shipment", _("Parcel handed to the carrier")
    rest_closed = "rest_closed", _("The rest cannot be sent")
    handed_over = "handed_over", _("Picked up in store")
    delivered = "delivered", _("Delivered")
    receipt = "receipt", _("Receipt confirmed by the customer")
    time_passed = "time_passed", _("Completed automatically")
    dispute = "dispute", _("Payment disputed")
    dispute_over = "dispute_over", _("Dispute over")
    refunded = "refunded", _("Refunded")
    undone = "undone", _("Undone")


class SoldOutWish(models.TextChoices):
    """The customer's wish if an ordered product is sold out (docs/wire.md#order)."""

    substitute = "replace", _("Replace it with something similar")
    refund = "refund", _("Refund it")
    ask = "ask", _("Ask me")
