"""The cart on the wire (docs/wire.md#cart)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from catalog.browse.schemas import CartGoods, PriceTierOut
from catalog.goods.schemas import GoodsLine
from commerce.cart.models import CartType
from core.wire import AnswerModel, WireId, WireModel

# More than a cart may have: surplus products of a guest are dropped and named, not refused.
MAX_PUSHED = 1_000


class CartLine(GoodsLine):
    """A product and its amount; `type` may name the cart here instead of in the query.

    `after` names the product behind which a new one is put, as before it was removed.
    """

    type: CartType | None = None
    after: WireId | None = None


class PushedCart(WireModel):
    """A client's cart, newest product first."""

    list: Annotated[list[GoodsLine], Field(max_length=MAX_PUSHED)]
    type: CartType | None = None


PushedLines = Annotated[list[GoodsLine], Field(max_length=MAX_PUSHED)]


class CartItemOut(CartGoods):
    """A product in the cart: `goodsStockAmount` is what a delivery order can buy now.

    `memberPrice` is the price of one at its amount, `cartonSize` the step of its amounts in this cart.
    """

    goodsAmount: int
    checked: bool
    available: bool
    cartonSize: int
    priceTiers: Sequence[PriceTierOut]


class CartOut(AnswerModel):
    """A cart, newest product first."""

    list: list[CartItemOut]


class MergedCartOut(CartOut):
    """A cart after a push; `removed` has the ids of dropped products."""

    removed: list[int]
