"""Wire schemas of the cart (docs/wire.md#cart)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from catalog.browse.schemas import CartGoods, PriceTierOut
from catalog.goods.schemas import GoodsLine
from commerce.cart.models import CartType
from core.wire import AnswerModel, WireId, WireModel

# More than a cart may have: a guest's surplus products are dropped and listed, not refused.
MAX_PUSHED = 1_000


class CartLine(GoodsLine):
    """A product and its amount; `type` selects the cart if the query does not.

    `after` is a product id: a new product goes behind that product, such as to undo a removal.
    """

    type: CartType | None = None
    after: WireId | None = None


class PushedCart(WireModel):
    """A client's cart, newest product first."""

    list: Annotated[list[GoodsLine], Field(max_length=MAX_PUSHED)]
    type: CartType | None = None


PushedLines = Annotated[list[GoodsLine], Field(max_length=MAX_PUSHED)]


class CartItemOut(CartGoods):
    """A product in the cart; `goodsStockAmount` is the number of units that a delivery order can buy now.

    `memberPrice` is the unit price at its amount; `cartonSize` is the step of its amount in this cart.
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
