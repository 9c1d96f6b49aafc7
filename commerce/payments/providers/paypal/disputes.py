"""Reads PayPal's record of a dispute (docs/paypal.md#disputes)."""

from commerce.payments.providers.base import BadNoticeError, Reason
from commerce.payments.providers.paypal.client import RefusedError, Session
from commerce.payments.providers.paypal.notices import references
from commerce.payments.providers.paypal.orders import checked_id


def is_open(session: Session, *, reference: str, dispute_id: str) -> bool:
    """Return True if a dispute about a payment is open; `reference`: the payment's reference.

    Raises BadNoticeError if PayPal does not know the dispute, or it is about something else. Raises
    UnavailableError and RefusedError.
    """
    try:
        dispute = session.get(f"/v1/customer/disputes/{checked_id(dispute_id)}")
    except RefusedError as refusal:
        if refusal.is_unknown:
            raise BadNoticeError("no such dispute", Reason.unknown) from None
        raise
    if dispute.get("dispute_id") != dispute_id or reference not in references(dispute):
        raise BadNoticeError("a dispute about something else", Reason.unknown)
    return dispute.get("status") != "RESOLVED"
