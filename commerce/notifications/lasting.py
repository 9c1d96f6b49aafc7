"""How long a message about an order stays true (docs/guarantees/delivery.md#messages-about-orders)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet

from commerce.claims.models import ClaimMessage
from commerce.notifications.kinds import OF_CLAIMS, Kind
from commerce.orders.models import OrderStatusChange
from commerce.orders.status import OrderStatus
from commerce.payments.models import Certificate

# The statuses of an order in which a message about a change is still true. Payments, refunds and units that
# were left out are events: they stay true.
_STATUSES = {
    Kind.created: {OrderStatus.unpaid},
    Kind.asking: {OrderStatus.asking},
    Kind.ready: {OrderStatus.ready},
    Kind.shipped: {OrderStatus.shipped, OrderStatus.partly_shipped, OrderStatus.out_for_delivery},
    Kind.canceled: {OrderStatus.canceled},
}


def _of_change(kind: Kind, change_id: int) -> QuerySet[OrderStatusChange]:
    return OrderStatusChange.objects.filter(pk=change_id, order__status__in=_STATUSES[kind])


def _of_review(certificate_id: int) -> QuerySet[Certificate]:
    """A picture that waits for its review has replaced the reviewed one."""
    newer = Certificate.objects.filter(order=OuterRef("order"), state=Certificate.State.waiting)
    reviews = Certificate.objects.filter(pk=certificate_id, order__status=OrderStatus.unpaid)
    return reviews.filter(~Exists(newer))


def _of_answer(message_id: int) -> QuerySet[ClaimMessage]:
    return ClaimMessage.objects.filter(pk=message_id, claim__state=F("to_state"))


# Kind → the rows for which its message is true, by the key of the change, certificate or message of a claim.
LASTING: dict[Kind, Callable[[int], QuerySet[Any]]] = {
    **{kind: partial(_of_change, kind) for kind in _STATUSES},
    Kind.rejected: _of_review,
    Kind.part_paid: _of_review,
    **dict.fromkeys(OF_CLAIMS, _of_answer),
}
