"""The shop's side of the sandbox gateway; calls it like a real one."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils import translation

from commerce.payments.models import Payment
from commerce.payments.providers.base import BadNoticeError, Notice, Outcome
from commerce.payments.sandbox.models import SandboxCharge
from commerce.payments.sandbox.signing import EVENT_HEADER, SIGNATURE_HEADER, TIME_HEADER, is_genuine
from core.wire import WireModel, WireText, read_json

_STATES = {
    SandboxCharge.State.open: Payment.State.pending,
    SandboxCharge.State.paid: Payment.State.paid,
    SandboxCharge.State.declined: Payment.State.failed,
}

# As long as `PaymentEvent.event_id`.
MAX_EVENT_ID_LENGTH = 80


class _NoticeBody(WireModel):
    """The part of a notice that is read."""

    reference: WireText
    state: WireText = ""


class SandboxProvider:
    """Stands in for every redirecting pay type; no money moves (docs/product.md#the-demonstration)."""

    name = "sandbox"

    def start(self, *, payment: Payment, site_url: str) -> str:
        """Open a charge and return the URL of its page, in the customer's language."""
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
            return site_url + reverse("sandbox_pay", args=[payment.reference])

    def query(self, *, payment: Payment) -> Outcome | None:
        """Look the charge up; an expired one has failed."""
        charge = SandboxCharge.objects.filter(reference=payment.reference).first()
        if charge is None:
            return None
        state = Payment.State.failed if charge.has_expired else _STATES[SandboxCharge.State(charge.state)]
        return Outcome(state, charge.reference, charge.amount, charge.currency)

    def read_notice(self, *, headers: Mapping[str, str], body: bytes) -> Notice:
        """Check a notice's signature and age, then read it."""
        event_id = headers.get(EVENT_HEADER, "")
        if len(event_id) > MAX_EVENT_ID_LENGTH:
            raise BadNoticeError("no event of ours")
        timestamp, signature = headers.get(TIME_HEADER, ""), headers.get(SIGNATURE_HEADER, "")
        if not is_genuine(timestamp, event_id, signature, body):
            raise BadNoticeError("wrong or old signature")
        try:
            content = read_json(body)
            read = _NoticeBody.model_validate(content)
        except (ValueError, RecursionError):
            raise BadNoticeError("unreadable") from None
        return Notice(
            reference=read.reference,
            event_id=event_id,
            body=content,
            reports_paid=read.state == SandboxCharge.State.paid,
        )
