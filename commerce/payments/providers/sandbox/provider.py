"""The shop's side of the sandbox gateway; the shop calls it like a real provider."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import DateTimeField, F, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import translation

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import (
    BadNoticeError,
    Device,
    Notice,
    Outcome,
    Reason,
    RefundOutcome,
    Settled,
    SettledPage,
    Started,
)
from commerce.payments.providers.sandbox.models import SandboxCharge, SandboxRefund
from commerce.payments.providers.sandbox.signing import (
    EVENT_HEADER,
    SIGNATURE_HEADER,
    TIME_HEADER,
    is_genuine,
)
from core.clock import shop_zone
from core.money import ZERO
from core.wire import WireModel, WireText, read_json

_STATES = {
    SandboxCharge.State.open: Payment.State.pending,
    SandboxCharge.State.paid: Payment.State.paid,
    SandboxCharge.State.declined: Payment.State.failed,
}

# The number of rows on one page of a list.
PAGE_SIZE = 100
# The length of `PaymentEvent.event_id`.
MAX_EVENT_ID_LENGTH = 80


class _NoticeBody(WireModel):
    """The fields of a notice that are used."""

    reference: WireText
    state: WireText = ""


class SandboxProvider:
    """Replaces the providers of redirecting pay types; no money moves (docs/product.md#the-demonstration)."""

    name = "sandbox"

    def start(self, *, payment: Payment, site_url: str, device: Device) -> Started:
        """Create a charge and return the URL of its page, in the customer's language."""
        SandboxCharge.objects.get_or_create(
            reference=payment.reference,
            defaults={
                "amount": payment.amount,
                "currency": payment.currency,
                "title": payment.number,
                "notify_url": site_url + reverse("pay_notice", args=[self.name]),
                "return_url": site_url + reverse("pay_return", args=[payment.reference]),
            },
        )
        with translation.override(payment.language):
            return Started(site_url + reverse("sandbox_pay", args=[payment.reference]))

    def query(self, *, payment: Payment, may_collect: bool) -> Outcome | None:
        """Return the state of the charge; an expired charge has failed."""
        charge = SandboxCharge.objects.filter(reference=payment.reference).first()
        if charge is None:
            return None
        state = Payment.State.failed if charge.has_expired else _STATES[SandboxCharge.State(charge.state)]
        return Outcome(state, charge.reference, charge.amount, charge.currency)

    @transaction.atomic
    def refund(self, *, refund: Refund) -> RefundOutcome:
        """Refund money of a paid charge, once; refuses more than was paid."""
        reference = refund.payment.reference
        # The lock makes the second of two concurrent refunds see the first.
        charge = SandboxCharge.objects.select_for_update().filter(reference=reference).first()
        if charge is None or charge.state != SandboxCharge.State.paid:
            return RefundOutcome(Refund.State.failed, detail="not paid here")
        if not charge.refunds.filter(reference=refund.reference).exists():
            back = charge.refunds.aggregate(total=Sum("amount"))["total"] or ZERO
            if refund.currency != charge.currency or back + refund.amount > charge.amount:
                return RefundOutcome(Refund.State.failed, detail="more than was paid")
            charge.refunds.create(reference=refund.reference, amount=refund.amount)
        return RefundOutcome(Refund.State.done, provider_ref=refund.reference)

    def query_refund(self, *, refund: Refund) -> RefundOutcome | None:
        """Look up a refund."""
        known = SandboxRefund.objects.filter(reference=refund.reference).exists()
        return RefundOutcome(Refund.State.done, provider_ref=refund.reference) if known else None

    def is_disputed(self, *, payment: Payment, dispute_ref: str) -> bool:
        """Return False: the sandbox reports no disputes."""
        return False

    def settled(self, *, day: date, page: int) -> SettledPage:
        """Read a page of the sandbox's payments and refunds on a day of the shop's calendar."""
        start = datetime.combine(day, time(), shop_zone())
        end = datetime.combine(day + timedelta(days=1), time(), shop_zone())
        decided = Coalesce("decided_at", "created_at", output_field=DateTimeField())
        paid = SandboxCharge.objects.filter(state=SandboxCharge.State.paid).annotate(at=decided)
        back = SandboxRefund.objects.annotate(at=F("created_at"), currency=F("charge__currency"))
        moved = [
            Settled(is_refund, row.reference, row.reference, row.amount, row.currency, row.at)
            for is_refund, rows in ((False, paid), (True, back))
            for row in rows.filter(at__gte=start, at__lt=end).order_by("pk")
        ]
        first = (page - 1) * PAGE_SIZE
        return SettledPage(moved[first : first + PAGE_SIZE], is_last=first + PAGE_SIZE >= len(moved))

    def read_notice(self, *, headers: Mapping[str, str], body: bytes) -> Notice:
        """Verify a notice's signature and age, then read it."""
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
            raise BadNoticeError("unreadable", Reason.unreadable) from None
        return Notice(
            reference=read.reference,
            event_id=event_id,
            body=content,
            reports_paid=read.state == SandboxCharge.State.paid,
        )
