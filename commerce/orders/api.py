"""The API of orders and rewards (docs/wire.md#orders)."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from commerce.accounts.auth import caller, customer_of, language_for, token_auth
from commerce.orders import services
from commerce.orders.own_orders import counts_by_status, has_status
from commerce.orders.requests import OrderIntent
from commerce.orders.rewards import rewards_of
from commerce.orders.schemas import (
    GoodsIn,
    OrderCountsOut,
    OrderIn,
    OrderOut,
    OrdersQuery,
    PlacedOut,
    PreviewIn,
    PreviewOut,
    RewardsOut,
    TradeOut,
)
from commerce.orders.searching import search_own_orders
from commerce.orders.serializers import order_out, placed_out, preview_out, rewards_out
from core.errors import Err, ShopError
from core.wire import Envelope, Page, answer, envelope, paged

router = Router()


@router.post("/v1/pc/toTrade", response=Envelope[TradeOut], auth=token_auth)
def to_trade(request: HttpRequest, goods: GoodsIn | None = None) -> HttpResponse:
    """Return the code for one future order."""
    code = services.open_trade(
        customer=customer_of(request),
        basket=goods.basket() if goods else None,
        voucher_code=goods.voucher_code() if goods else "",
    )
    return answer({"transactionCode": code})


@router.post("/v1/pc/order/preview", response=Envelope[PreviewOut])
def preview(request: HttpRequest, body: PreviewIn) -> HttpResponse:
    """Return the lines and sums that an order would have; a voucher or points need the token."""
    basket = body.basket()
    if basket is None:
        raise ShopError(Err.goods_error, fields={"orderGoods": "goods_error"})
    preview = services.preview_order(
        customer=caller(request),
        basket=basket,
        shipping_type=body.shipping_type(),
        region=body.region(),
        voucher_code=body.voucher_code(),
        points=body.points or 0,
    )
    return answer(preview_out(preview))


@router.post("/v1/pc/order", response=Envelope[PlacedOut], auth=token_auth)
def order(request: HttpRequest, body: OrderIn) -> HttpResponse:
    """Create an order with a code; a repeated request returns the same order."""
    order = services.place_order(
        customer=customer_of(request),
        code=body.transactionCode,
        intent=OrderIntent(
            body.basket(),
            body.fulfilment(),
            body.wishes(language_for(request)),
            body.voucher_code(),
            body.points or 0,
        ),
    )
    return answer(placed_out(order))


@router.post("/v1/pc/orderInfo", response=Envelope[Page[OrderOut]], auth=token_auth)
def order_list(request: HttpRequest, query: OrdersQuery | None = None) -> dict[str, Any]:
    """List the customer's orders, newest first; `word` searches order numbers, products and parcels."""
    query = query or OrdersQuery()
    made = query.period().condition()
    orders = customer_of(request).orders.filter(made).prefetch_related("lines")
    if query.status:
        orders = orders.filter(has_status(query.status))
    if query.word:
        orders = orders.filter(search_own_orders(customer_of(request), query.word))
    page = paged(orders, query)
    page["list"] = [order_out(row) for row in page["list"]]
    return envelope(page)


@router.get("/v1/pc/order/counts", response=Envelope[OrderCountsOut], auth=token_auth)
def order_counts(request: HttpRequest) -> dict[str, Any]:
    """Return the numbers of the customer's orders to pay, in preparation, to receive and to claim."""
    return envelope(counts_by_status(customer_of(request).orders.all()))


@router.put("/v1/pc/order/cancel/{order_no}", response=Envelope[int], auth=token_auth)
def cancel(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """Cancel the customer's unpaid order."""
    services.cancel_order(customer=customer_of(request), order_no=order_no)
    return envelope(1)


@router.put("/v1/pc/order/receive/{order_no}", response=Envelope[int], auth=token_auth)
def receive(request: HttpRequest, order_no: str) -> dict[str, Any]:
    """Confirm that the customer's order has arrived."""
    services.receive_order(customer=customer_of(request), order_no=order_no)
    return envelope(1)


@router.get("/v1/pc/user/rewards", response=Envelope[RewardsOut], auth=token_auth)
def rewards(request: HttpRequest) -> dict[str, Any]:
    """Return the customer's points and level, and the spend missing for the next level."""
    return envelope(rewards_out(rewards_of(customer_of(request))))
