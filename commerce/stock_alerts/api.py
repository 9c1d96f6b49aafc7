"""The call that requests a back-in-stock alert; it needs no login."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from commerce.stock_alerts import services
from commerce.stock_alerts.schemas import NoticeWanted
from core.client import client_language, client_network
from core.wire import Envelope, envelope

router = Router()


@router.post("/v1/pc/stockNotice", response=Envelope[int])
def ask(request: HttpRequest, body: NoticeWanted) -> dict[str, Any]:
    """Request one message when a product is back in stock; a repeated request gets the same answer."""
    services.ask_for_alert(
        product_id=body.goodsId,
        email=body.email,
        language=client_language(request),
        network=client_network(request),
    )
    return envelope(1)
