"""The API of the cart (docs/wire.md#cart)."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Body, Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.models import Customer
from commerce.cart import services
from commerce.cart.items import Contents, priced_items, read_contents
from commerce.cart.models import CartType
from commerce.cart.schemas import CartLine, CartOut, MergedCartOut, PushedCart, PushedLines
from commerce.cart.serializers import cart_out
from core.errors import Err
from core.wire import Envelope, NotedEnvelope, answer, path_id

router = Router()

DEFAULT = CartType.direct_mail


@router.get("/v1/pc/shoppingCart", response=Envelope[CartOut], auth=token_auth)
def read_cart(request: HttpRequest, type: CartType = DEFAULT) -> HttpResponse:
    """List the products in the cart."""
    customer = customer_of(request)
    return answer(_cart(customer, read_contents(customer=customer, type=type)))


@router.post("/v1/pc/shoppingCart", response=NotedEnvelope[CartOut], auth=token_auth)
def add_goods(request: HttpRequest, line: CartLine, type: CartType | None = None) -> HttpResponse:
    """Add units of a product; `reason` is set if the cart has fewer or more units than requested."""
    customer, kind = customer_of(request), type or line.type or DEFAULT
    changed = services.add_to_cart(
        customer=customer, type=kind, product_id=line.goodsId, amount=line.goodsAmount, after=line.after
    )
    return answer(_cart(customer, changed.contents), changed.note)


@router.put("/v1/pc/shoppingCart", response=NotedEnvelope[CartOut], auth=token_auth)
def set_goods(request: HttpRequest, line: CartLine, type: CartType | None = None) -> HttpResponse:
    """Set the units of a product; `reason` is set if the cart has fewer or more units than requested."""
    customer, kind = customer_of(request), type or line.type or DEFAULT
    changed = services.set_amount(
        customer=customer, type=kind, product_id=line.goodsId, amount=line.goodsAmount, after=line.after
    )
    return answer(_cart(customer, changed.contents), changed.note)


@router.delete("/v1/pc/shoppingCart/{goods_id}", response=Envelope[CartOut], auth=token_auth)
def remove_goods(request: HttpRequest, goods_id: str, type: CartType = DEFAULT) -> HttpResponse:
    """Remove a product from the cart; removing a product that is not in the cart succeeds."""
    customer = customer_of(request)
    changed = services.remove_from_cart(
        customer=customer, type=type, product_id=path_id(goods_id, Err.goods_error)
    )
    return answer(_cart(customer, changed.contents))


@router.delete("/v1/pc/shoppingCart", response=Envelope[CartOut], auth=token_auth)
def clear_cart(request: HttpRequest, type: CartType = DEFAULT) -> HttpResponse:
    """Remove all products from a cart; clearing an empty cart succeeds."""
    services.clear_cart(customer=customer_of(request), type=type)
    return answer({"list": []})


@router.post("/v1/pc/shoppingcartUpdate", response=NotedEnvelope[MergedCartOut], auth=token_auth)
def push_cart(
    request: HttpRequest,
    cart: Annotated[PushedLines | PushedCart, Body()],
    type: CartType | None = None,
) -> HttpResponse:
    """Merge a client's cart into the cart; pushing it again changes nothing."""
    pushed = cart if isinstance(cart, list) else cart.list
    customer, kind = customer_of(request), type or getattr(cart, "type", None) or DEFAULT
    changed = services.merge_cart(
        customer=customer, type=kind, pushed=[(line.goodsId, line.goodsAmount) for line in pushed]
    )
    return answer(_cart(customer, changed.contents) | {"removed": changed.removed}, changed.note)


def _cart(customer: Customer, contents: Contents) -> dict[str, Any]:
    return cart_out(priced_items(contents, level=customer.level_number))
