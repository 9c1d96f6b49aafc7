"""Handles what providers send on their own."""

from commerce.payments.models import Payment, PaymentEvent
from commerce.payments.providers.base import BadNoticeError, Notice, Provider
from commerce.payments.services.query import refresh_payment


def handle_notice(*, provider: Provider, notice: Notice) -> None:
    """Store a notice once, and ask the provider about its payment unless that is paid.

    What the notice itself reports is stored for the audit, never believed (docs/guarantees.md#notices). Call
    it outside any transaction. Raises BadNoticeError for a payment that is not this provider's,
    UnavailableError when the provider should send it again.
    """
    payment = Payment.objects.filter(reference=notice.reference, provider=provider.name).first()
    if payment is None:
        raise BadNoticeError("no such payment")
    PaymentEvent.objects.get_or_create(
        provider=provider.name,
        event_id=notice.event_id,
        defaults={"payment": payment, "body": dict(notice.body), "reports_paid": notice.reports_paid},
    )
    if payment.state != Payment.State.paid:
        refresh_payment(payment=payment)
