"""What a request for an order comes to, whatever its spelling: the form that two sendings are compared in."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from catalog.goods.schemas import GoodsLine
from commerce.delivery.shipping import ShippingType, read_shipping_type
from commerce.orders.schemas import GoodsIn, OrderIn
from core import clock
from core.errors import Err, ShopError
from core.ids import digest

# Pairs of product id and amount.
Goods = list[tuple[int, int]]


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
    """An order asked for: goods in basket order, one entry each, and where they are to go."""

    goods: Goods
    shipping_type: ShippingType
    to: ToAddress | PickUp
    remark: str

    def fingerprint(self) -> str:
        """Hash what was asked for; the order of the goods makes no difference."""
        parts = [sorted(self.goods), self.shipping_type, asdict(self.to), self.remark]
        return digest(json.dumps(parts, default=datetime.isoformat))


def read_goods(body: GoodsIn, draft: Sequence[Sequence[int]] | None = None) -> Goods:
    """Unite the goods of a request, of a good named twice the sum; without any, those of the draft hold.

    Raises ShopError(goods_error) for none at all, ShopError(one_activity_only) for goods of two promotions,
    ShopError(parameter_error) for a promotion that does not run.
    """
    promotions = {line.actionTypeId for line in body.actionGoods or []}
    if len(promotions) > 1:
        raise ShopError(Err.one_activity_only)
    if promotions:
        raise ShopError(Err.parameter_error, fields={"actionTypeId": "parameter_error"})
    goods = _united(body.orderGoods or []) or [(product_id, amount) for product_id, amount in draft or []]
    if not goods:
        raise ShopError(Err.goods_error, fields={"orderGoods": "goods_error"})
    return goods


def read_order(body: OrderIn, draft: Sequence[Sequence[int]] | None) -> OrderRequest:
    """Read a request for an order as far as it can be judged by itself (CONTRACT 4).

    Raises ShopError as `read_goods` does, and choose_delivery, choose_consignee, parameter_error for a way of
    delivery that is missing or that lacks its address, its shop or its time.
    """
    goods = read_goods(body, draft)
    shipping_type = read_shipping_type(body.shippingType or "")
    remark = body.remark or ""
    if shipping_type == ShippingType.pickup:
        if body.shopId is None:
            raise ShopError(Err.parameter_error, fields={"shopId": "parameter_error"})
        to = PickUp(body.shopId, _time(body.terminalDateTime))
        return OrderRequest(goods, shipping_type, to, remark)
    if body.deliveryAddressId is None:
        raise ShopError(Err.choose_consignee, fields={"deliveryAddressId": "choose_consignee"})
    return OrderRequest(goods, shipping_type, ToAddress(body.deliveryAddressId), remark)


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
