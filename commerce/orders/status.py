"""The life of an order: the wire's codes, their labels and the moves between them.

See docs/product.md#order-statuses.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class OrderStatus(models.IntegerChoices):
    """The codes the shop itself writes; `status_label` knows the others that the wire has."""

    unpaid = 1, _("Unpaid")
    paid = 2, _("Paid")
    shipped = 6, _("Unreceived")
    completed = 7, _("Completed")
    canceled = 10, _("Canceled")
    chargeback = 98, _("Chargeback")


PAID_CODES = frozenset({0, 2, 3, 4, 5, 51, 8})
UNRECEIVED_CODES = frozenset({6, 100, 102, 106})
# Those of orders whose money was received.
MONEY_CODES = PAID_CODES | UNRECEIVED_CODES | {OrderStatus.completed}

TRANSITIONS: dict[int, frozenset[int]] = {
    OrderStatus.unpaid: frozenset({OrderStatus.paid, OrderStatus.canceled}),
    OrderStatus.paid: frozenset({OrderStatus.shipped, OrderStatus.chargeback}),
    OrderStatus.shipped: frozenset({OrderStatus.completed, OrderStatus.chargeback}),
    OrderStatus.completed: frozenset({OrderStatus.chargeback}),
    # A late payment of an expired order reopens it while its products can be reserved again.
    OrderStatus.canceled: frozenset({OrderStatus.paid}),
    OrderStatus.chargeback: frozenset(),
}

# The words a list of orders may be narrowed by, and the codes each covers (docs/wire.md#orderinfo).
STATUS_GROUPS: dict[str, frozenset[int]] = {
    "unpaid": frozenset({OrderStatus.unpaid}),
    "paid": PAID_CODES,
    "unreceived": UNRECEIVED_CODES,
    "completed": frozenset({OrderStatus.completed}),
    "canceled": frozenset({OrderStatus.canceled}),
}

IN_STORE_IMAGES = frozenset({"/static/img/pay-in-store.webp", "/static/img/pay-on-delivery.webp"})


_LABELS: dict[int, str] = {
    OrderStatus.completed: "Completed",
    OrderStatus.canceled: "Canceled",
    OrderStatus.chargeback: "Chargeback",
}


def status_label(code: int, pay_img: str) -> str:
    """Return the English label of a status code, word for word as clients expect it."""
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
    """Return whether the money of an order with this status was received."""
    return code in MONEY_CODES


class ChangeReason(models.TextChoices):
    """Why an order's status moved."""

    placed = "placed", _("Placed")
    payment = "payment", _("Payment received")
    customer = "customer", _("Canceled by the customer")
    expired = "expired", _("Not paid in time")
    late_payment = "late_payment", _("Payment received after it was canceled")
