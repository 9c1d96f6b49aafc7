"""The texts of a credit note, from the order, its refund and the seller.

See docs/guarantees/money.md#refunds-of-orders.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from commerce.invoices.invoice_texts import buyer_facts, day_text, product_facts, seller_facts
from commerce.refunds.models import OrderRefund, OrderRefundLine
from core.money import aud_text
from core.shop import Seller


def credit_note_facts(
    *,
    refund: OrderRefund,
    lines: Sequence[OrderRefundLine],
    invoice_number: str,
    seller: Seller,
    made_at: datetime,
) -> dict[str, Any]:
    """Return the texts of a refund's credit note for its template, without queries.

    `invoice_number`: of the order's invoice, empty if there is none.
    """
    return {
        "number": refund.number,
        "issued": day_text(made_at),
        "refunded": day_text(refund.created_at),
        "invoice": invoice_number or "–",
        "order": refund.order.order_no,
        "reason": refund.note,
        "seller": seller_facts(seller),
        "buyer": list(buyer_facts(refund.order)),
        "lines": [_line(line) for line in lines],
        "goods": aud_text(refund.goods_amount),
        "freight": aud_text(refund.freight_amount),
        "freight_gst": aud_text(refund.freight_gst),
        "gst": aud_text(refund.gst + refund.freight_gst),
        "total": aud_text(refund.amount),
    }


def _line(line: OrderRefundLine) -> dict[str, Any]:
    return product_facts(line.line) | {
        "units": str(line.units) if line.units else None,
        "gst": aud_text(line.gst),
        "amount": aud_text(line.amount),
    }
