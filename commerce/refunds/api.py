"""The order detail with refunds, which the apps below do not know (docs/wire.md#orderdetailed)."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.orders.services import find_order
from commerce.refunds.schemas import OrderDetail
from commerce.refunds.serializers import order_detail_out
from core.wire import Envelope, envelope

router = Router()


@router.get("/v1/pc/order/detailed/{order_no}", response=Envelope[OrderDetail], auth=token_auth)
def order_detail(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """Return one of the customer's orders in full."""
    return envelope(order_detail_out(find_order(customer=customer_of(request), order_no=order_no)))
