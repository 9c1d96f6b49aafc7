"""Takes in what providers send on their own."""

from commerce.payments.models import Payment, PaymentEvent
from commerce.payments.providers.base import BadNoticeError, Notice, Provider
from commerce.payments.services.query import refresh


def take_notice(*, provider: Provider, notice: Notice) -> None:
    """Keep a notice once and ask the provider about its payment while that is open (RELIABILITY 2.7).

    What the notice itself claims is kept, never believed. Raises BadNoticeError for a payment that is not
    this provider's, UnavailableError when the provider should send it again.
    """
    payment = Payment.objects.filter(reference=notice.reference, provider=provider.name).first()
    if payment is None:
        raise BadNoticeError("no such payment")
    PaymentEvent.objects.get_or_create(
        provider=provider.name,
        event_id=notice.event_id,
        defaults={"payment": payment, "body": dict(notice.body)},
    )
    if payment.state != Payment.State.paid:
        refresh(payment)
