"""The order actions of staff on paid orders, and the rules for when each is offered.

See docs/guarantees/orders.md#status-changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.status import TRANSITIONS, UNRECEIVED_CODES, ChangeReason, OrderStatus


class Move(models.TextChoices):
    """A button of the order's page; `commerce.shipments` has the form that ships a parcel."""

    hand_over = "hand_over", _("Hand over")
    review = "review", _("Review first")
    hold = "hold", _("Put on hold")
    resume = "resume", _("Go on")
    pick = "pick", _("Begin picking")
    pack = "pack", _("Packed")
    ask = "ask", _("Ask the customer")
    await_stock = "await_stock", _("Wait for stock")
    prepare = "prepare", _("Ready for pick-up")
    send_out = "send_out", _("Out for delivery")
    deliver = "deliver", _("Delivered")
    cancel_unshipped = "cancel_unshipped", _("Close the rest")
    record_return = "record_return", _("Came back")


@dataclass(frozen=True)
class Rule:
    """An order action's new status and reason, and the orders that it is for; an empty set means all."""

    to: OrderStatus
    reason: ChangeReason = ChangeReason.staff
    statuses: frozenset[OrderStatus] = frozenset()
    shipping_types: frozenset[ShippingType] = frozenset()


_SENT = frozenset({ShippingType.domestic, ShippingType.abroad})
_PICK_UP = frozenset({ShippingType.pickup})

RULES: Mapping[Move, Rule] = {
    Move.review: Rule(OrderStatus.in_review),
    Move.hold: Rule(OrderStatus.on_hold),
    # Only a payment changes an unpaid or canceled order to paid.
    Move.resume: Rule(OrderStatus.paid, statuses=frozenset({OrderStatus.in_review, OrderStatus.on_hold})),
    Move.pick: Rule(OrderStatus.picking),
    Move.pack: Rule(OrderStatus.packed),
    Move.ask: Rule(OrderStatus.asking),
    Move.await_stock: Rule(OrderStatus.awaiting_stock),
    Move.prepare: Rule(OrderStatus.ready, shipping_types=_PICK_UP),
    Move.hand_over: Rule(
        OrderStatus.completed,
        ChangeReason.handed_over,
        statuses=frozenset({OrderStatus.ready}),
        shipping_types=_PICK_UP,
    ),
    Move.send_out: Rule(
        OrderStatus.out_for_delivery,
        ChangeReason.shipment,
        shipping_types=frozenset({ShippingType.domestic}),
    ),
    Move.deliver: Rule(OrderStatus.completed, ChangeReason.delivered, shipping_types=_SENT),
    # The rest cannot be sent; `commerce.shipments` records its units.
    Move.cancel_unshipped: Rule(
        OrderStatus.shipped,
        ChangeReason.rest_closed,
        statuses=frozenset({OrderStatus.partly_shipped}),
        shipping_types=_SENT,
    ),
    # Only an order that has left the shop, or is ready, can come back.
    Move.record_return: Rule(OrderStatus.returned, statuses=UNRECEIVED_CODES),
}


# What staff read before they confirm an action that ends an order, or that frees or returns its units.
QUESTIONS: Mapping[Move, Any] = {
    Move.hand_over: _("The units leave the stock, and the order is completed."),
    Move.deliver: _("The order is completed. The customer gets no message."),
    Move.cancel_unshipped: _("The units that are not sent yet will not be sent, and are for sale again."),
    Move.record_return: _("Parcels that have not arrived count as returned; their units can be sent again."),
}
# How long the member of staff who pressed one of these can undo it, and what they read before they do.
UNDO_FOR = timedelta(minutes=15)
UNDO_QUESTIONS: Mapping[Move, Any] = {
    Move.hand_over: _("Its units are in stock and reserved for it, and its pick-up code is needed again."),
    Move.deliver: _("It counts as not delivered."),
    Move.record_return: _("The parcels that were marked as returned are on their way."),
}


def is_offered(move: Move, order: Order) -> bool:
    """Return True if the action is possible in the order's current status."""
    rule = RULES[move]
    seen = OrderStatus(order.status)
    return (
        # Only the end of its dispute reopens a disputed order.
        seen != OrderStatus.chargeback
        and rule.to in TRANSITIONS[seen]
        and (not rule.statuses or seen in rule.statuses)
        and (not rule.shipping_types or order.shipping_type in rule.shipping_types)
    )


def undoable_move(change: OrderStatusChange) -> Move | None:
    """Return the action that made a status change, if its member of staff can undo it for UNDO_FOR."""
    rules = {(RULES[move].to, RULES[move].reason): move for move in UNDO_QUESTIONS}
    return rules.get((OrderStatus(change.to_status), ChangeReason(change.reason)))


def moves_of(order: Order) -> list[Move]:
    """Return the actions that are possible in the order's current status, in the order of their buttons."""
    return [move for move in Move if is_offered(move, order)]
