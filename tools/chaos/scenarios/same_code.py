"""One order that is sent many times concurrently (docs/guarantees/orders.md#one-order-for-each-code)."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tools.chaos.crowd import API, Answer, Crowd, crowd_at, insist
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

ROUNDS, COPIES = 10, 50


def run(shop: Shop) -> Iterator[Figure]:
    """Let ten buyers in turn send an order fifty times concurrently, and ten others two orders with one
    code."""
    shop.start()
    made = shop.prepare(customers=2 * ROUNDS, codes=1, products=1, units=10_000)
    [product] = made["products"]
    yield asyncio.run(_send_copies(shop, made["buyers"][:ROUNDS], product))
    yield asyncio.run(_send_two_orders(shop, made["buyers"][ROUNDS:], product))


async def _send_copies(shop: Shop, buyers: list[dict[str, Any]], product: int) -> Figure:
    orders, different = 0, 0
    async with crowd_at(shop) as crowd:
        for buyer in buyers:
            [code] = buyer["codes"]
            copies = [_order(crowd, buyer, (product, 2), code) for _ in range(COPIES)]
            answers = [json.dumps(answer.body) for answer in await asyncio.gather(*copies)]
            [(_most_frequent, number)] = Counter(answers).most_common(1)
            different += COPIES - number
            orders += await _orders_of(crowd, buyer)
        faults, again = crowd.faults(), crowd.outcomes()["shop_busy"]
    return Figure(
        "one order sent many times",
        f"{COPIES} times concurrently, {ROUNDS} rounds",
        f"{orders} orders, {different} answers unlike the others, {faults} faults, {again} sent again",
        f"{ROUNDS} orders, 0 answers unlike the others, 0 faults",
        orders == ROUNDS and not different and not faults,
    )


async def _send_two_orders(shop: Shop, buyers: list[dict[str, Any]], product: int) -> Figure:
    outcomes: Counter[str] = Counter()
    orders = 0
    async with crowd_at(shop) as crowd:
        for buyer in buyers:
            [code] = buyer["codes"]
            sent = [_order(crowd, buyer, (product, 1 + number % 2), code) for number in range(COPIES)]
            outcomes.update(answer.outcome for answer in await asyncio.gather(*sent))
            orders += await _orders_of(crowd, buyer)
    half = ROUNDS * COPIES // 2
    return Figure(
        "two orders with one code",
        f"each {COPIES // 2} times concurrently, {ROUNDS} rounds",
        f"{orders} orders, {dict(outcomes)}",
        f"{ROUNDS} orders, {half} ok, {half} order_exists",
        orders == ROUNDS and outcomes == {"ok": half, "order_exists": half},
    )


async def _order(crowd: Crowd, buyer: dict[str, Any], line: tuple[int, int], code: str) -> Answer:
    return await insist(lambda: crowd.order(buyer, [line], code))


async def _orders_of(crowd: Crowd, buyer: dict[str, Any]) -> int:
    answer = await crowd.call("POST", f"{API}/orderInfo", token=buyer["token"])
    return len(answer.body["result"]["list"])
