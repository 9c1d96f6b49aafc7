"""The services of order refunds, one file for each subject."""

from commerce.refunds.services.cancellations import (
    confirm_cancellation,
    decline_cancellation,
    request_cancellation,
)
from commerce.refunds.services.preview import RefundPreview, preview_refund
from commerce.refunds.services.refund_order import mark_of, refund_order, refunded_since

__all__ = [
    "RefundPreview",
    "confirm_cancellation",
    "decline_cancellation",
    "mark_of",
    "preview_refund",
    "refund_order",
    "refunded_since",
    "request_cancellation",
]
