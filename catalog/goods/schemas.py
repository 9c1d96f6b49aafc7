"""Products in requests (docs/wire.md#ids, docs/wire.md#cart, docs/wire.md#orders)."""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, TypeAdapter, ValidationError

from core.errors import Err, ShopError
from core.wire import WireAmount, WireId, WireModel

# The most different products in one cart or request.
MAX_PRODUCTS = 200

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


# An invalid id gets the same error as an unknown id.
GoodsId = Annotated[int, BeforeValidator(_goods_id)]
GoodsAmount = Annotated[WireAmount, AfterValidator(_at_least_one)]


class GoodsLine(WireModel):
    """A product and its amount.

    Parsing raises ShopError(goods_error, amount_below_one, amount_below_zero).
    """

    goodsId: GoodsId
    goodsAmount: GoodsAmount
