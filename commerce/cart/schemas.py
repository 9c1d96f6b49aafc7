"""The cart on the wire (CONTRACT 3)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from catalog.browse.schemas import PriceTierOut
from catalog.goods.models import UnitMeasure
from catalog.goods.schemas import GoodsLine
from commerce.cart.models import CartType
from core.wire import Flag, Price, WireModel

# More goods than a cart holds: those of a guest who kept many are dropped by name, not refused.
MOST_PUSHED = 1_000


class CartLine(GoodsLine):
    """A good and its amount; `type` may name the cart here instead of in the query."""

    type: CartType | None = None


class PushedCart(WireModel):
    """A cart kept elsewhere, newest good first."""

    list: Annotated[list[GoodsLine], Field(max_length=MOST_PUSHED)]
    type: CartType | None = None


PushedLines = Annotated[list[GoodsLine], Field(max_length=MOST_PUSHED)]


class CartItemOut(WireModel):
    """A good in the cart: `goodsStockAmount` is what a delivery order can buy now, `netWeight` in grams.

    `memberPrice` is the price of one at its amount, `cartonSize` the step of its amounts in this cart.
    """

    goodsId: int
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    goodsAmount: int
    goodsStockAmount: int
    memberPrice: Price
    isSelf: Flag
    isAdvance: Flag
    checked: bool
    netWeight: int
    storage: str
    pack: str
    packZh: str
    unitPrice: Price | None
    unitPriceMeasure: UnitMeasure | None
    available: bool
    minAmount: int
    limitAmount: int
    cartonSize: int
    priceTiers: Sequence[PriceTierOut]


class CartOut(WireModel):
    """A cart, newest good first."""

    list: list[CartItemOut]


class MergedCartOut(CartOut):
    """A cart after a push; `removed` names the goods that were dropped."""

    removed: list[int]
