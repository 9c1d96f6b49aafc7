"""What a request for an order comes to, whatever its spelling: the form that two sendings are compared in."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from catalog.goods.schemas import GoodsLine
from commerce.delivery.shipping import ShippingType, read_shipping_type
from commerce.orders.schemas import GoodsIn, OrderIn
from core import clock
from core.errors import Err, ShopError
from core.ids import digest

# Pairs of product id and amount.
Goods = list[tuple[int, int]]


@dataclass(frozen=True)
class Basket:
    """Goods in basket order, one entry each; those bought at the prices of one promotion stand apart."""

    goods: Goods
    promoted: Goods
    promotion_id: int | None

    @property
    def units(self) -> Counter[int]:
        """The units of each product, at whichever price, by its id."""
        units: Counter[int] = Counter()
        for product_id, amount in self.goods + self.promoted:
            units[product_id] += amount
        return units


@dataclass(frozen=True)
class ToAddress:
    """Goods are sent."""

    address_id: int


@dataclass(frozen=True)
class PickUp:
    """Goods are handed over in a shop, at a time."""

    shop_id: int
    starts_at: datetime


@dataclass(frozen=True)
class OrderRequest:
    """An order asked for: its goods, and where they are to go."""

    basket: Basket
    shipping_type: ShippingType
    to: ToAddress | PickUp
    remark: str

    def fingerprint(self) -> str:
        """Hash what was asked for; the order of the goods makes no difference."""
        goods = [sorted(self.basket.goods), sorted(self.basket.promoted), self.basket.promotion_id]
        parts = [goods, self.shipping_type, asdict(self.to), self.remark]
        return digest(json.dumps(parts, default=datetime.isoformat))


def read_goods(body: GoodsIn, draft: Any = None) -> Basket:
    """Unite the goods of a request, of a good named twice the sum; without any, those of the draft hold.

    `draft`: what `GoodsIn` dumps. Raises ShopError(goods_error) for none at all, ShopError(one_activity_only)
    for goods of two promotions.
    """
    named = body if body.has_goods or draft is None else GoodsIn.model_validate(draft)
    if not named.has_goods:
        raise ShopError(Err.goods_error, fields={"orderGoods": "goods_error"})
    promoted = named.actionGoods or []
    promotions = {line.actionTypeId for line in promoted}
    if len(promotions) > 1:
        raise ShopError(Err.one_activity_only)
    return Basket(_united(named.orderGoods or []), _united(promoted), next(iter(promotions), None))


def read_order(body: OrderIn, draft: Any) -> OrderRequest:
    """Read a request for an order as far as it can be judged by itself (CONTRACT 4).

    Raises ShopError as `read_goods` does, and choose_delivery, choose_consignee, parameter_error for a way of
    delivery that is missing or that lacks its address, its shop or its time.
    """
    basket = read_goods(body, draft)
    shipping_type = read_shipping_type(body.shippingType or "")
    remark = body.remark or ""
    if shipping_type == ShippingType.pickup:
        if body.shopId is None:
            raise ShopError(Err.parameter_error, fields={"shopId": "parameter_error"})
        to = PickUp(body.shopId, _time(body.terminalDateTime))
        return OrderRequest(basket, shipping_type, to, remark)
    if body.deliveryAddressId is None:
        raise ShopError(Err.choose_consignee, fields={"deliveryAddressId": "choose_consignee"})
    return OrderRequest(basket, shipping_type, ToAddress(body.deliveryAddressId), remark)


def _united(lines: Iterable[GoodsLine]) -> Goods:
    amounts: dict[int, int] = {}
    for line in lines:
        amounts[line.goodsId] = amounts.get(line.goodsId, 0) + line.goodsAmount
    return list(amounts.items())


def _time(text: str | None) -> datetime:
    try:
        return clock.from_wire(text or "")
    except ValueError:
        raise ShopError(Err.parameter_error, fields={"terminalDateTime": "parameter_error"}) from None
