"""What customers are told of their orders (docs/product.md#messages)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from commerce.orders.models import OrderStatusChange
from commerce.orders.status import ChangeReason, OrderStatus


class Kind(models.TextChoices):
    """One kind of message about an order."""

    created = "created", _("Order received")
    paid = "paid", _("Payment received")
    asking = "asking", _("Question about the order")
    ready = "ready", _("Ready for pick-up")
    shipped = "shipped", _("On its way")
    left_out = "left_out", _("Products that could not be sent")
    canceled = "canceled", _("Order canceled")
    refunded = "refunded", _("Money refunded")
    rejected = "rejected", _("Transfer not accepted")
    part_paid = "part_paid", _("A part of the money received")


# What the law or decency asks for: nobody switches these off.
REQUIRED = frozenset({Kind.paid, Kind.left_out, Kind.canceled, Kind.refunded, Kind.rejected, Kind.part_paid})
# What is worth an SMS, where a customer has no e-mail address.
WORTH_AN_SMS = frozenset(Kind) - {Kind.created, Kind.paid}

_BY_STATUS = {
    OrderStatus.unpaid: Kind.created,
    OrderStatus.asking: Kind.asking,
    OrderStatus.ready: Kind.ready,
    OrderStatus.shipped: Kind.shipped,
    OrderStatus.partly_shipped: Kind.shipped,
    OrderStatus.out_for_delivery: Kind.shipped,
    OrderStatus.canceled: Kind.canceled,
}


def kind_of(change: OrderStatusChange) -> Kind | None:
    """Return what a customer is told of a move of their order; None for what is no news to them."""
    if change.to_status == OrderStatus.paid:
        # Staff move an order that they have looked at back to paid.
        is_payment = change.from_status in (OrderStatus.unpaid, OrderStatus.canceled)
        return Kind.paid if is_payment else None
    if change.reason == ChangeReason.rest_closed:
        # Nothing is sent with it, although the order goes on as shipped.
        return Kind.left_out
    return _BY_STATUS.get(OrderStatus(change.to_status))
