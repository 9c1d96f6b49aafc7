"""Serialises claims for the wire (docs/wire.md#claims)."""

from typing import Any

from django.db.models import QuerySet

from commerce.claims.claimable import claimable_until, is_claimable, units_to_claim
from commerce.claims.models import Claim, ClaimLine, ClaimMessage
from commerce.claims.services.pictures import picture_url
from commerce.orders.models import Order, OrderLine


def claims_listed(claims: QuerySet[Claim]) -> QuerySet[Claim]:
    """Return claims with the rows that `claim_row_out` needs; two more queries."""
    return claims.select_related("order").prefetch_related("lines__line")


def claims_in_full(claims: QuerySet[Claim]) -> QuerySet[Claim]:
    """Return claims with the rows that `claim_out` needs; four more queries."""
    return claims_listed(claims).prefetch_related("thread__pictures")


def claim_row_out(claim: Claim) -> dict[str, Any]:
    """Serialise a claim of `claims_listed` for a list."""
    return {
        "claimNo": claim.claim_no,
        "orderNo": claim.order.order_no,
        "status": claim.state,
        "wish": claim.wish,
        "createTime": claim.created_at,
        "goods": [_line_out(each) for each in claim.lines.all()],
    }


def claim_out(claim: Claim) -> dict[str, Any]:
    """Serialise a claim of `claims_in_full` with its thread."""
    return claim_row_out(claim) | {
        "decideTime": claim.decided_at,
        "messages": [_message_out(message) for message in claim.thread.all()],
    }


def claimable_out(order: Order) -> dict[str, Any]:
    """Serialise the claimable units of an order, and its claims, newest first; five queries."""
    may_claim = is_claimable(order)
    return {
        "orderNo": order.order_no,
        "isClaimable": may_claim,
        "until": claimable_until(order) if may_claim else None,
        "goods": [
            _goods_out(line) | {"goodsAmount": line.amount, "left": left if may_claim else 0}
            for line, left in units_to_claim(order).items()
        ],
        "claims": [claim_row_out(claim) for claim in claims_listed(order.claims.all())],
    }


def _line_out(each: ClaimLine) -> dict[str, Any]:
    return _goods_out(each.line) | {"goodsAmount": each.units, "kind": each.kind}


def _goods_out(line: OrderLine) -> dict[str, Any]:
    return {
        "goodsId": line.product_id,
        "actionTypeId": line.promotion_id,
        "goodsName": line.name_zh,
        "goodsEnglishName": line.name_en,
        "goodsImgUrl": line.picture_url or None,
    }


def _message_out(message: ClaimMessage) -> dict[str, Any]:
    return {
        "isMine": message.author == ClaimMessage.Author.customer,
        "text": message.text,
        "status": message.to_state,
        "createTime": message.created_at,
        "images": [picture_url(picture) for picture in message.pictures.all()],
    }
