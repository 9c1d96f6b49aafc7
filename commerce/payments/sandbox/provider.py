"""The shop's side of the sandbox gateway; speaks to it as to a real one."""

import json

from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation

from commerce.payments.models import Payment
from commerce.payments.providers.base import BadNoticeError, Notice, Outcome, Redirect
from commerce.payments.sandbox.models import SandboxCharge
from commerce.payments.sandbox.signing import EVENT_HEADER, SIGNATURE_HEADER, TIME_HEADER, is_genuine
from core.wire import WireModel, WireText

_STATES = {
    SandboxCharge.State.open: Payment.State.pending,
    SandboxCharge.State.paid: Payment.State.paid,
    SandboxCharge.State.declined: Payment.State.failed,
}

# What the table of events has room for.
LONGEST_EVENT_ID = 80


class _Told(WireModel):
    """What is read of a notice."""

    reference: WireText


class SandboxProvider:
    """Stands in for every redirecting pay type; no money moves (CONTRACT 7)."""

    name = "sandbox"

    def start(self, payment: Payment, site_url: str) -> Redirect:
        """Open a charge and send the customer to its page, in their language."""
        SandboxCharge.objects.get_or_create(
            reference=payment.reference,
            defaults={
                "amount": payment.amount,
                "currency": payment.currency,
                "title": payment.order.order_no,
                "notify_url": site_url + reverse("pay_notice", args=[self.name]),
                "return_url": site_url + reverse("pay_return", args=[payment.reference]),
            },
        )
        with translation.override(payment.language):
            return Redirect(site_url + reverse("sandbox_pay", args=[payment.reference]))

    def query(self, payment: Payment) -> Outcome:
        """Look the charge up in the gateway's books; one that was never opened is still to come."""
        charge = SandboxCharge.objects.filter(reference=payment.reference).first()
        if charge is None:
            return Outcome(Payment.State.pending, payment.reference, payment.amount, payment.currency)
        return Outcome(
            _STATES[SandboxCharge.State(charge.state)], charge.reference, charge.amount, charge.currency
        )

    def read_notice(self, request: HttpRequest) -> Notice:
        """Check a notice's signature and age, then read it."""
        event_id = request.headers.get(EVENT_HEADER, "")
        if len(event_id) > LONGEST_EVENT_ID:
            raise BadNoticeError("no event of ours")
        timestamp, signature = request.headers.get(TIME_HEADER, ""), request.headers.get(SIGNATURE_HEADER, "")
        if not is_genuine(timestamp, event_id, signature, request.body):
            raise BadNoticeError("wrong or old signature")
        try:
            body = json.loads(request.body)
            return Notice(reference=_Told.model_validate(body).reference, event_id=event_id, body=body)
        except (ValueError, RecursionError):
            raise BadNoticeError("unreadable") from None
