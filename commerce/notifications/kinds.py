"""The kinds of messages about orders (docs/product.md#messages)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from commerce.claims.states import ClaimState
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
    canceled = "canceled", _("Order cancelled")
    refunded = "refunded", _("Money refunded")
    rejected = "rejected", _("Transfer not accepted")
    part_paid = "part_paid", _("Part of the payment received")
    cancellation_declined = "cancel_no", _("Request to cancel declined")
    claim_asking = "claim_ask", _("Question about a claim")
    claim_refund = "claim_back", _("Claim accepted, with a refund")
    claim_replacement = "claim_new", _("Claim accepted, with a replacement")
    claim_declined = "claim_no", _("Claim declined")
    claim_settled = "claim_done", _("Claim settled otherwise")


# The message about staff's answer to a claim, by the claim's new state.
ANSWER_KINDS = {
    ClaimState.asking: Kind.claim_asking,
    ClaimState.refund: Kind.claim_refund,
    ClaimState.replacement: Kind.claim_replacement,
    ClaimState.declined: Kind.claim_declined,
    ClaimState.settled: Kind.claim_settled,
}
OF_CLAIMS = frozenset(ANSWER_KINDS.values())
# The law or courtesy requires these: staff cannot switch them off.
REQUIRED = OF_CLAIMS | {
    Kind.paid,
    Kind.left_out,
    Kind.canceled,
    Kind.cancellation_declined,
    Kind.refunded,
    Kind.rejected,
    Kind.part_paid,
}
# The kinds that are sent by SMS if a customer has no e-mail address.
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
    """Return the kind of message about a status change; None if the customer gets none."""
    if change.to_status == OrderStatus.paid:
        # Staff also move a reviewed order back to paid, which is not a payment.
        is_payment = change.from_status in (OrderStatus.unpaid, OrderStatus.canceled)
        return Kind.paid if is_payment else None
    if change.reason == ChangeReason.rest_closed:
        # The status becomes shipped, although no parcel is sent with this change.
        return Kind.left_out
    if change.reason in (ChangeReason.dispute_over, ChangeReason.undone):
        # The customer had the message when the order first got this status.
        return None
    return _BY_STATUS.get(OrderStatus(change.to_status))
