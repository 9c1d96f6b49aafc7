"""The API of claims (docs/wire.md#claims)."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.models import Customer
from commerce.claims import services
from commerce.claims.schemas import ClaimableOut, ClaimIn, ClaimOut, ClaimRowOut, ReplyIn
from commerce.claims.serializers import (
    claim_out,
    claim_row_out,
    claimable_out,
    claims_in_full,
    claims_listed,
)
from commerce.claims.states import ClaimWish
from commerce.orders.services import find_order
from core.wire import Envelope, Page, PageQuery, envelope, paged

router = Router()


@router.get("/v1/pc/claims", response=Envelope[Page[ClaimRowOut]], auth=token_auth)
def claim_list(request: HttpRequest, query: Query[PageQuery]) -> dict[str, Any]:
    """List the customer's claims, newest first."""
    page = paged(claims_listed(customer_of(request).claims.all()), query)
    page["list"] = [claim_row_out(row) for row in page["list"]]
    return envelope(page)


@router.post("/v1/pc/claims", response=Envelope[ClaimOut], auth=token_auth)
def claim(request: HttpRequest, body: ClaimIn) -> dict[str, Any]:
    """Claim damaged, missing or wrong units of the customer's order."""
    made = services.make_claim(
        customer=customer_of(request),
        order_no=body.orderNo,
        lines=[line.line() for line in body.lines],
        wish=ClaimWish(body.wish),
        text=body.text,
        image_urls=body.images,
    )
    return envelope(_in_full(customer_of(request), made.pk))


@router.get("/v1/pc/claims/{claim_no}", response=Envelope[ClaimOut], auth=token_auth)
def claim_detail(request: HttpRequest, claim_no: str) -> dict[str, Any]:
    """Return one of the customer's claims, with its messages."""
    found = services.find_claim(customer=customer_of(request), claim_no=claim_no)
    return envelope(_in_full(customer_of(request), found.pk))


@router.post("/v1/pc/claims/{claim_no}/reply", response=Envelope[ClaimOut], auth=token_auth)
def reply(request: HttpRequest, claim_no: str, body: ReplyIn) -> dict[str, Any]:
    """Add a message to the customer's open claim."""
    replied = services.reply_to_claim(
        customer=customer_of(request), claim_no=claim_no, text=body.text, image_urls=body.images
    )
    return envelope(_in_full(customer_of(request), replied.pk))


@router.get("/v1/pc/order/claimable/{order_no}", response=Envelope[ClaimableOut], auth=token_auth)
def claimable(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """Return the units of the customer's order that can still be claimed, and its claims."""
    return envelope(claimable_out(find_order(customer=customer_of(request), order_no=order_no)))


def _in_full(customer: Customer, pk: int) -> dict[str, Any]:
    return claim_out(claims_in_full(customer.claims.all()).get(pk=pk))
