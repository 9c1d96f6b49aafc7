"""Refunds at PayPal: each is sent once, and found again after a lost answer (docs/paypal.md#refunds)."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from commerce.payments.models import Refund
from commerce.payments.providers.base import AnsweredError, RefundOutcome
from commerce.payments.providers.paypal.client import RefusedError, Session
from commerce.payments.providers.paypal.orders import checked_id, read_amount, read_order, refunds_named

State = Refund.State

_STATES = {
    "COMPLETED": State.done,
    "PENDING": State.sending,
    "FAILED": State.failed,
    "CANCELLED": State.failed,
}
# PayPal refuses decimals of these currencies, even zeros.
_WITHOUT_DECIMALS = frozenset({"HUF", "JPY", "TWD"})


@dataclass(frozen=True)
class AskedRefund:
    """The refund that is sent or polled.

    `refund_id`: PayPal's id, empty until it is known; for a retry, the id of the earlier try.
    """

    reference: str
    refund_id: str
    amount: Decimal
    currency: str
    payment_reference: str
    order_id: str
    capture_id: str


def asked_for(refund: Refund) -> AskedRefund:
    """Return the data to send or poll a refund; one query for its payment."""
    payment = refund.payment
    return AskedRefund(
        refund.reference,
        refund.provider_ref,
        refund.amount,
        refund.currency,
        payment.reference,
        payment.provider_ref,
        payment.capture_ref,
    )


def send(session: Session, asked: AskedRefund) -> RefundOutcome:
    """Send a refund; a repeat refunds nothing more. Raises UnavailableError, RefusedError."""
    path = f"/v2/payments/captures/{checked_id(asked.capture_id)}/refund"
    try:
        refund = session.post(path, _body(asked), request_id=asked.reference)
    except RefusedError as refusal:
        # PayPal may refuse it because an earlier request, whose answer was lost, has already refunded it.
        return _find(session, asked) or RefundOutcome(State.failed, detail=str(refusal))
    return _outcome(asked, refund)


def ask(session: Session, asked: AskedRefund) -> RefundOutcome | None:
    """Poll a refund by its id, or find it among the refunds of its order; return None if neither has it.

    Raises UnavailableError, RefusedError.
    """
    if asked.refund_id:
        refund = session.get(f"/v2/payments/refunds/{checked_id(asked.refund_id)}")
        # The id may belong to an earlier try, which failed under another reference.
        if refund.get("invoice_id") == asked.reference:
            return _outcome(asked, refund)
    return _find(session, asked)


def _body(asked: AskedRefund) -> Mapping[str, Any]:
    places = 0 if asked.currency in _WITHOUT_DECIMALS else 2
    return {
        "amount": {"currency_code": asked.currency, "value": f"{asked.amount:.{places}f}"},
        "invoice_id": asked.reference,
        "custom_id": asked.payment_reference,
    }


def _find(session: Session, asked: AskedRefund) -> RefundOutcome | None:
    order = read_order(session, asked.payment_reference, asked.order_id) if asked.order_id else None
    found = refunds_named(order, asked.reference) if order else []
    return _outcome(asked, found[0]) if found else None


def _outcome(asked: AskedRefund, refund: Mapping[str, Any]) -> RefundOutcome:
    state = _STATES.get(str(refund.get("status")))
    if state is None or read_amount(refund) != (asked.amount, asked.currency):
        raise AnsweredError("no answer about this refund")
    details = refund.get("status_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    detail = str(reason or refund.get("status"))[:100]
    return RefundOutcome(state, checked_id(refund.get("id")), "" if state == State.done else detail)
