"""Reads PayPal's record of a dispute (docs/paypal.md#disputes)."""

from commerce.payments.providers.base import BadNoticeError, Reason
from commerce.payments.providers.paypal.client import RefusedError, Session
from commerce.payments.providers.paypal.notices import paypal_ids, references
from commerce.payments.providers.paypal.orders import checked_id


def is_open(session: Session, *, reference: str, capture_ref: str, dispute_id: str) -> bool:
    """Return True if a dispute about a payment is open.

    The dispute names the payment by its reference, or by its capture alone. Raises BadNoticeError if PayPal
    does not know the dispute, or it is about something else. Raises UnavailableError and RefusedError.
    """
    try:
        dispute = session.get(f"/v1/customer/disputes/{checked_id(dispute_id)}")
    except RefusedError as refusal:
        if refusal.is_unknown:
            raise BadNoticeError("no such dispute", Reason.unknown) from None
        raise
    names_it = reference in references(dispute) or (capture_ref and capture_ref in paypal_ids(dispute))
    if dispute.get("dispute_id") != dispute_id or not names_it:
        raise BadNoticeError("a dispute about something else", Reason.unknown)
    return dispute.get("status") != "RESOLVED"
