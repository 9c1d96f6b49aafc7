"""The order detail with refunds, which the apps below do not know (docs/wire.md#orderdetailed)."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.orders.services import find_order
from commerce.refunds import services
from commerce.refunds.schemas import CancellationIn, OrderDetail
from commerce.refunds.serializers import order_detail_out
from core.wire import Envelope, envelope

router = Router()


@router.get("/v1/pc/order/detailed/{order_no}", response=Envelope[OrderDetail], auth=token_auth)
def order_detail(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """Return one of the customer's orders in full."""
    return envelope(order_detail_out(find_order(customer=customer_of(request), order_no=order_no)))


@router.post("/v1/pc/order/requestCancel/{order_no}", response=Envelope[OrderDetail], auth=token_auth)
def request_cancel(request: HttpRequest, order_no: str, body: CancellationIn) -> dict[str, Any]:
    """Request that the customer's paid order is canceled; return the order in full."""
    order = services.request_cancellation(
        customer=customer_of(request), order_no=order_no, reason=body.reason
    )
    return envelope(order_detail_out(order))
