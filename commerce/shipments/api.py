"""The call that returns the parcels of an order (docs/wire.md#orderlogistics)."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.orders.services import find_order
from commerce.shipments.schemas import LogisticsOut
from commerce.shipments.serializers import shipments_out
from core.wire import Envelope, envelope

router = Router()


@router.get("/v1/pc/order/logistics/{order_no}", response=Envelope[LogisticsOut], auth=token_auth)
def logistics(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """List the parcels of the customer's order, with their tracking events."""
    order = find_order(customer=customer_of(request), order_no=order_no)
    return envelope({"list": shipments_out(order)})
