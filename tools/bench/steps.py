"""The calls of customers who buy, as both the server's clients and its own process send them."""

import json
from collections.abc import Iterator
from typing import Any

from tools.bench.client import Step

# So many that in two hours of runs none of them asks for sixty codes of orders. The first have filled carts.
CUSTOMERS, BUYERS = 1500, 1000
# So many customers share the orders that are made: those with the smallest ids.
ORIGINALS = 500
# The rate limit that no part of the shop has.
LIMIT = "bench"
PASSWORD = "888888"  # noqa: S105  of these customers only
API = "/api/v1/pc"
ADD = Step("add to cart", f"{API}/shoppingCart", '{"goodsId": %(goods)s, "goodsAmount": 1}')
LOGIN = Step("login", f"{API}/login", '{"account": "%(account)s", "password": "%(password)s"}')
PURCHASE = [
    Step(
        "toTrade", f"{API}/toTrade", '{"orderGoods": %(lines)s, "actionGoods": []}', keeps="transactionCode"
    ),
    Step(
        "common/freight",
        f"{API}/common/freight",
        '{"address": "%(place)s", "orderGoods": %(lines)s, "shippingType": "2"}',
    ),
    Step(
        "order",
        f"{API}/order",
        '{"transactionCode": "%(transactionCode)s", "orderGoods": %(lines)s, "actionGoods": [], '
        '"shippingType": "2", "deliveryAddressId": %(address)s}',
        keeps="orderNo",
    ),
    Step(
        "order/pay",
        f"{API}/order/pay",
        f'{{"orderNo": "%(orderNo)s", "payType": "0", "password": "{PASSWORD}"}}',
    ),
]
# A product of a promotion that has a gift, a voucher, and two other products.
_OFFERED = (
    '"orderGoods": %(others)s, "actionGoods": [%(promoted)s], "voucherCode": "%(voucher)s", '
    '"shippingType": "2"'
)
PREVIEW = Step("order/preview", f"{API}/order/preview", f'{{{_OFFERED}, "address": "%(place)s"}}')
PREVIEW_OF_MANY = Step(
    "order/preview of 30 lines",
    f"{API}/order/preview",
    '{"orderGoods": %(many)s, "shippingType": "2", "address": "%(place)s", "voucherCode": "%(voucher)s"}',
)
PURCHASE_WITH_OFFERS = [
    Step("toTrade, empty", f"{API}/toTrade", "{}", keeps="transactionCode"),
    PREVIEW,
    Step(
        "order with offers",
        f"{API}/order",
        '{"transactionCode": "%(transactionCode)s", "deliveryAddressId": %(address)s, ' + _OFFERED + "}",
        keeps="orderNo",
    ),
    Step("order/pay with offers", PURCHASE[-1].path, PURCHASE[-1].body),
]


def _by_van(step: Step) -> Step:
    """Return a step of a purchase with a frozen product, which the van brings in a window."""
    body = step.body.replace("%(lines)s", "%(cold)s")
    body = body.replace(
        '"shippingType": "2", "deliv', '"deliverySlot": "%(window)s", "shippingType": "2", "deliv'
    )
    return Step(f"{step.name} by van", step.path, body, keeps=step.keeps)


PURCHASE_BY_VAN = [_by_van(step) for step in PURCHASE]
ORDERS = Step("order list", f"{API}/orderInfo", "{}")
DETAILS = Step("order details", f"{API}/order/detailed/%(orderNo)s")
WHOLE, WITH_OFFERS, ONE_CART = "whole order", "whole order with offers", "add to one cart"
WHOLE_BY_VAN = "whole order by van"


def with_each_product(shoppers: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Give each shopper once for each of their products, so that carts grow to these."""
    lines = [json.loads(shopper["lines"]) for shopper in shoppers]
    for place in range(len(lines[0])):
        for shopper, wanted in zip(shoppers, lines, strict=True):
            yield shopper | {"goods": wanted[place]["goodsId"]}
