"""The call for questions about orders (docs/wire.md#orderask)."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.enquiries import services
from commerce.enquiries.schemas import QuestionIn
from core.wire import Envelope, envelope

router = Router()


@router.post("/v1/pc/order/ask/{order_no}", response=Envelope[int], auth=token_auth)
def ask(request: HttpRequest, order_no: str, body: QuestionIn) -> dict[str, Any]:
    """Send a question about the customer's order to the shop."""
    services.ask_about_order(customer=customer_of(request), order_no=order_no, text=body.text)
    return envelope(1)
