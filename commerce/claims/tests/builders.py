"""Builders of claims for tests."""

from typing import Any

from commerce.claims.models import Claim, ClaimMessage
from commerce.claims.services import LineClaim, answer_claim, make_claim, settle_otherwise
from commerce.claims.states import ClaimKind, ClaimState, ClaimWish
from commerce.orders.models import Order, OrderLine
from commerce.orders.tests.builders import Buyer
from commerce.payments.services.certificates import certificate_url, store_certificate
from commerce.payments.tests.test_certificates import picture
from commerce.refunds.tests.builders import make_staff
from commerce.shipments.tests.builders import make_paid_order, make_shipment


def make_sent_order(buyer: Buyer | None = None, *lines: Any) -> Order:
    """Make an order whose parcel is on its way; without lines, of two units of a product."""
    order = make_paid_order(buyer or Buyer(), *lines)
    make_shipment(order)
    order.refresh_from_db()
    return order


def line_claim(line: OrderLine, units: int = 1, kind: ClaimKind = ClaimKind.damaged) -> LineClaim:
    """Claim units of a line."""
    return LineClaim(line.product_id, line.promotion_id, units, kind)


def claim_of(order: Order, *lines: LineClaim, text: str = "It is broken", **kw: Any) -> Claim:
    """Claim something of an order; without lines, one unit of its first line."""
    values: dict[str, Any] = {
        "customer": order.customer,
        "order_no": order.order_no,
        "lines": lines or [line_claim(order.lines.all()[0])],
        "wish": ClaimWish.refund,
        "text": text,
    }
    return make_claim(**values | kw)


def answer(
    claim: Claim, to: ClaimState = ClaimState.declined, text: str = "Because", **kw: Any
) -> ClaimMessage:
    """Answer a claim as staff who have read all of it."""
    made = answer_claim(claim=claim, to=to, text=text, **_as_read(claim) | kw)
    claim.refresh_from_db()
    return made


def _as_read(claim: Claim) -> dict[str, Any]:
    seen = Claim.objects.values_list("messages", flat=True).get(pk=claim.pk)
    return {"staff": make_staff(), "seen": seen}


def settle(claim: Claim, text: str = "Sent again", **kw: Any) -> ClaimMessage:
    """Settle a claim otherwise as staff who have read all of it."""
    made = settle_otherwise(claim=claim, text=text, **_as_read(claim) | kw)
    claim.refresh_from_db()
    return made


def upload(buyer: Buyer) -> str:
    """Upload a picture; returns its address."""
    return certificate_url(
        store_certificate(customer=buyer.customer, picture=picture(), network="203.0.113.1")
    )
