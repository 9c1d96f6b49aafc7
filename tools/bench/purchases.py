"""The calls of customers who buy, and what each of them costs.

    python -m tools.bench.purchases > {"shoppers": [{"token", …}, …], "calls": {name: {"statements", …}, …}}

Runs as a process of its own, in the environment of its database.
"""

import json
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

import django
from django.conf import settings
from django.db import close_old_connections
from django.test import Client

from tools.bench.chains import Step
from tools.bench.customers import BUYERS, PASSWORD, make_shoppers, tidy
from tools.bench.processors import thread_seconds
from tools.bench.statements import counting_statements, open_connections

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
# Calls whose cost is measured, after some that warm the process up.
WARM, COUNTED = 3, 15
_COSTS = ("statements", "of_transactions", "server_ms", "database_ms")


def with_each_product(shoppers: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Give each shopper once for each of their products, so that carts grow to these."""
    lines = [json.loads(shopper["lines"]) for shopper in shoppers]
    for place in range(len(lines[0])):
        for shopper, wanted in zip(shoppers, lines, strict=True):
            yield shopper | {"goods": wanted[place]["goodsId"]}


def send(client: Client, step: Step, values: dict[str, Any]) -> None:
    """Send a call and keep what later ones need; raises AssertionError for an answer that refuses."""
    # The test client leaves out what begins each request: whether the connection still lives.
    close_old_connections()
    response = client.generic(
        step.method,
        step.path % values,
        step.body % values,
        "application/json",
        headers={"token": values["token"]},
    )
    answer = response.json()
    assert (response.status_code, answer.get("code")) == (200, 0), f"{step.name}: {answer}"
    if step.keeps:
        values[step.keeps] = answer["result"][step.keeps]


def costs(shoppers: list[dict[str, Any]], counted: int = COUNTED) -> dict[str, dict[str, Any]]:
    """Return of each call the statements and the milliseconds of this process and of PostgreSQL's.

    `shoppers`: with empty carts, which are filled and then ordered.
    """
    client = Client(headers={"Host": settings.ALLOWED_HOSTS[0]})
    found: dict[str, list[dict[str, Any]]] = {}
    for number, shopper in enumerate(shoppers[: WARM + 2 * counted]):
        values = dict(shopper)
        # Counting takes time itself.
        measure = _warm if number < WARM else _counted if number % 2 else _timed
        for line in json.loads(shopper["lines"]):
            values["goods"] = line["goodsId"]
            found.setdefault(ADD.name, []).append(measure(client, ADD, values))
        for step in (
            *PURCHASE,
            *PURCHASE_BY_VAN,
            *PURCHASE_WITH_OFFERS,
            PREVIEW_OF_MANY,
            ORDERS,
            DETAILS,
            LOGIN,
        ):
            found.setdefault(step.name, []).append(measure(client, step, values))
    return {name: {key: _median(rows, key) for key in _COSTS} for name, rows in found.items()}


def _warm(client: Client, step: Step, values: dict[str, Any]) -> dict[str, Any]:
    send(client, step, values)
    return {}


def _counted(client: Client, step: Step, values: dict[str, Any]) -> dict[str, Any]:
    with counting_statements() as statements:
        send(client, step, values)
    return {"statements": statements.count, "of_transactions": statements.of_transactions}


def _timed(client: Client, step: Step, values: dict[str, Any]) -> dict[str, Any]:
    backends = [each.info.backend_pid for each in open_connections()]
    database, began = _seconds(backends), time.process_time()
    send(client, step, values)
    server = time.process_time() - began
    return {"server_ms": server * 1000, "database_ms": (_seconds(backends) - database) * 1000 or None}


def _seconds(pids: list[int]) -> float:
    """Add up the processor time of PostgreSQL's processes; 0 where it is not known."""
    return sum(thread_seconds(pid) or 0.0 for pid in pids)


def _median(rows: list[dict[str, Any]], key: str) -> float | None:
    known = [row[key] for row in rows if row.get(key) is not None]
    return round(statistics.median(known), 2) if known else None


def main() -> None:
    """Print the shoppers and the costs; with `tidy`, only leave the shop in order."""
    django.setup()
    tidy()
    if sys.argv[1:] == ["tidy"]:
        return
    shoppers = make_shoppers()
    calls = costs(shoppers[BUYERS:])
    json.dump({"shoppers": shoppers, "calls": calls}, sys.stdout)


if __name__ == "__main__":
    main()
