"""Handles what providers send on their own."""

import logging

from commerce.orders.moves import Move, is_offered
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
from commerce.payments.models import Payment, PaymentEvent
from commerce.payments.providers.base import BadNoticeError, Notice, Provider, Reason, UnavailableError
from commerce.payments.services.query import refresh_payment
from core.errors import ShopError

log = logging.getLogger(__name__)


def handle_notice(*, provider: Provider, notice: Notice) -> None:
    """Store a notice once, and ask the provider about its payment unless that is paid.

    What the notice itself reports is stored for the audit, never believed (docs/guarantees.md#notices). Call
    it outside any transaction. Raises BadNoticeError for a payment that is not this provider's,
    UnavailableError when the provider should send it again.
    """
    payment = Payment.objects.filter(reference=notice.reference, provider=provider.name).first()
    if payment is None:
        raise BadNoticeError("no such payment", Reason.unknown)
    PaymentEvent.objects.get_or_create(
        provider=provider.name,
        event_id=notice.event_id,
        defaults={"payment": payment, "body": dict(notice.body), "reports_paid": notice.reports_paid},
    )
    if payment.state != Payment.State.paid:
        refresh_payment(payment=payment)
    if notice.reports_dispute:
        _dispute(payment, notice)


def _dispute(payment: Payment, notice: Notice) -> None:
    """Note that a customer has asked their bank for the money of a paid order; a repeat changes nothing.

    Unlike what else a notice reports it is believed: only a provider that signs the whole notice has any.
    """
    order = payment.order
    if order is None or not is_offered(Move.dispute, order):
        log.error("payment %s: disputed by event %s", payment.reference, notice.event_id)
        return
    try:
        move_order(order=order, move=Move.dispute, seen=OrderStatus(order.status), note=notice.event_id)
    except ShopError:
        # It has moved on at this very moment: the next copy of the notice finds it where it is.
        raise UnavailableError("the order has moved on") from None
