"""Orders in full as the wire writes them (docs/wire.md#orderdetailed)."""

from typing import Any

from commerce.orders.models import Order
from commerce.payments.models import Refund
from commerce.payments.serializers import order_with_payments_out
from commerce.refunds.models import CancellationRequest, CreditNote, OrderRefund
from commerce.refunds.services.cancellations import REQUESTABLE
from commerce.refunds.services.credit_notes import credit_note_url


def order_detail_out(order: Order) -> dict[str, Any]:
    """Write an order in full, with its payments, parcels, refunds and request to cancel; eleven queries."""
    standing = Refund.objects.filter(payment__order=order).exclude(state=Refund.State.reversed)
    refunds = standing.select_related("leg__order_refund__credit_note")
    request = CancellationRequest.objects.filter(order=order).first()
    return order_with_payments_out(order) | {
        "refunds": [_refund_out(refund) for refund in refunds],
        "mayRequestCancel": request is None and order.status in REQUESTABLE,
        "cancellation": request
        and {
            "status": request.state,
            "reason": request.reason,
            "answer": request.answer,
            "createTime": request.created_at,
        },
    }


def _refund_out(refund: Refund) -> dict[str, Any]:
    made: OrderRefund | None = refund.leg.order_refund if hasattr(refund, "leg") else None
    note: CreditNote | None = getattr(made, "credit_note", None)
    return {
        "amount": refund.amount,
        "currency": refund.currency,
        "reason": refund.reason,
        "to": refund.to,
        "status": refund.state,
        "createTime": refund.created_at,
        "number": made.number if made else "",
        "note": made.note if made else "",
        "creditNoteUrl": credit_note_url(note) if note else None,
    }
