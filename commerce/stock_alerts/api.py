"""The calls for back-in-stock alerts and for products that the shop does not sell; they need no login."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from commerce.stock_alerts import services
from commerce.stock_alerts.schemas import NoticeWanted, ProductWanted
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


@router.post("/v1/pc/stockRequest", response=Envelope[int])
def request_product(request: HttpRequest, body: ProductWanted) -> dict[str, Any]:
    """Request that the shop sells what a search did not find."""
    services.request_product(word=body.word, network=client_network(request))
    return envelope(1)
