"""Handles notices of providers."""

import logging

from commerce.payments.models import Payment, PaymentEvent
from commerce.payments.providers.base import BadNoticeError, Notice, Provider, Reason, UnavailableError
from commerce.payments.providers.slots import gateway_slot
from commerce.payments.services.disputes import can_be_disputed, note_dispute
from commerce.payments.services.query import refresh_payment
from core.errors import ShopError

log = logging.getLogger(__name__)


def handle_notice(*, provider: Provider, notice: Notice) -> None:
    """Store a notice, and poll the provider if the payment is not paid (docs/guarantees/money.md#notices).

    The content of the notice is stored for the audit only. Call it outside any transaction. Raises
    BadNoticeError for another provider's payment or another payment's event; UnavailableError if the provider
    should retry.
    """
    payment = Payment.objects.filter(reference=notice.reference, provider=provider.name).first()
    if payment is None:
        raise BadNoticeError("no such payment", Reason.unknown)
    event, _ = PaymentEvent.objects.get_or_create(
        provider=provider.name,
        event_id=notice.event_id,
        defaults={"payment": payment, "body": dict(notice.body), "reports_paid": notice.reports_paid},
    )
    if event.payment_id != payment.pk:
        raise BadNoticeError("its event was of another payment")
    if payment.state != Payment.State.paid:
        refresh_payment(payment=payment)
    if notice.dispute_ref:
        _dispute(provider, payment, notice)


def _dispute(provider: Provider, payment: Payment, notice: Notice) -> None:
    """Record a dispute of a payment, once its provider confirms it; a repeat changes nothing.

    A dispute of money that was refunded already, such as of an order that was paid twice, is only logged.
    """
    payment.refresh_from_db()
    if not can_be_disputed(payment) or not _is_disputed(provider, payment, notice):
        log.error("payment %s: disputed by event %s", payment.reference, notice.event_id)
        return
    try:
        note_dispute(payment=payment, note=notice.event_id)
    except ShopError:
        # The status changed during this request; the provider sends the notice again.
        raise UnavailableError("the order has moved on") from None


def _is_disputed(provider: Provider, payment: Payment, notice: Notice) -> bool:
    try:
        with gateway_slot(provider.name):
            return provider.is_disputed(payment=payment, dispute_ref=notice.dispute_ref)
    except UnavailableError as error:
        log.error(
            "payment %s: dispute %s cannot be asked about: %s", payment.reference, notice.dispute_ref, error
        )
        raise
