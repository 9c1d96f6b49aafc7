"""How requests name goods (CONTRACT 1, 3 and 4)."""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, TypeAdapter, ValidationError

from core.errors import Err, ShopError
from core.wire import WireAmount, WireId, WireModel

# Different goods that one cart, and so one request, may hold.
MOST_GOODS = 200

_any_id = TypeAdapter(WireId)


def _goods_id(value: Any) -> int:
    try:
        return _any_id.validate_python(value)
    except ValidationError:
        raise ShopError(Err.goods_error) from None


def _at_least_one(amount: int) -> int:
    if amount < 0:
        raise ShopError(Err.amount_below_zero)
    if amount == 0:
        raise ShopError(Err.amount_below_one)
    return amount


# What is no id answers like an id that no good has.
GoodsId = Annotated[int, BeforeValidator(_goods_id)]
GoodsAmount = Annotated[WireAmount, AfterValidator(_at_least_one)]


class GoodsLine(WireModel):
    """A good and how many of it are asked for.

    Reading one raises ShopError(goods_error, amount_below_one, amount_below_zero).
    """

    goodsId: GoodsId
    goodsAmount: GoodsAmount
