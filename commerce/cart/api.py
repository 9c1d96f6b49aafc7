"""The cart (docs/wire.md#cart)."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Body, Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.models import Customer
from commerce.cart import services
from commerce.cart.items import priced_items
from commerce.cart.models import CartType
from commerce.cart.schemas import CartLine, CartOut, MergedCartOut, PushedCart, PushedLines
from commerce.cart.serializers import cart_out
from core.errors import Err
from core.wire import Envelope, NotedEnvelope, envelope, noted, path_id

router = Router()

DEFAULT = CartType.direct_mail


@router.get("/v1/pc/shoppingCart", response=Envelope[CartOut], auth=token_auth)
def read_cart(request: HttpRequest, type: CartType = DEFAULT) -> dict[str, Any]:
    """List the products in the cart."""
    return envelope(_cart(customer_of(request), type))


@router.post("/v1/pc/shoppingCart", response=NotedEnvelope[CartOut], auth=token_auth)
def add_goods(request: HttpRequest, line: CartLine, type: CartType | None = None) -> dict[str, Any]:
    """Add units of a product; `reason` tells if the cart has fewer or more than requested."""
    customer, kind = customer_of(request), type or line.type or DEFAULT
    note = services.add_to_cart(
        customer=customer, type=kind, product_id=line.goodsId, amount=line.goodsAmount
    )
    return noted(_cart(customer, kind), note)


@router.put("/v1/pc/shoppingCart", response=NotedEnvelope[CartOut], auth=token_auth)
def set_goods(request: HttpRequest, line: CartLine, type: CartType | None = None) -> dict[str, Any]:
    """Set the amount of a product; `reason` tells if the cart has fewer or more than requested."""
    customer, kind = customer_of(request), type or line.type or DEFAULT
    note = services.set_amount(customer=customer, type=kind, product_id=line.goodsId, amount=line.goodsAmount)
    return noted(_cart(customer, kind), note)


@router.delete("/v1/pc/shoppingCart/{goods_id}", response=Envelope[CartOut], auth=token_auth)
def remove_goods(request: HttpRequest, goods_id: str, type: CartType = DEFAULT) -> dict[str, Any]:
    """Remove a product from the cart; removing one that is not there succeeds."""
    customer = customer_of(request)
    services.remove_from_cart(customer=customer, type=type, product_id=path_id(goods_id, Err.goods_error))
    return envelope(_cart(customer, type))


@router.post("/v1/pc/shoppingcartUpdate", response=NotedEnvelope[MergedCartOut], auth=token_auth)
def push_cart(
    request: HttpRequest,
    cart: Annotated[PushedLines | PushedCart, Body()],
    type: CartType | None = None,
) -> dict[str, Any]:
    """Merge a client's cart into the cart; pushing it again changes nothing."""
    pushed = cart if isinstance(cart, list) else cart.list
    customer, kind = customer_of(request), type or getattr(cart, "type", None) or DEFAULT
    merged = services.merge_cart(
        customer=customer, type=kind, pushed=[(line.goodsId, line.goodsAmount) for line in pushed]
    )
    result = _cart(customer, kind) | {"removed": merged.removed}
    return noted(result, merged.note)


def _cart(customer: Customer, type: CartType) -> dict[str, Any]:
    return cart_out(priced_items(customer=customer, type=type))
