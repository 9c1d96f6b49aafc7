"""More bookings than a delivery window and an hour of a pick-up have places.

See docs/guarantees/delivery.md#hours-and-windows.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tools.chaos.crowd import API, Crowd, crowd_at, insist, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

CLAIMS = 100
PLACE = "Australia-WA-Perth-6000"


def run(shop: Shop) -> Iterator[Figure]:
    """Let 100 buyers order for one window of the van, then 100 for one hour of a shop."""
    shop.start()
    made = shop.prepare(customers=CLAIMS, codes=2, products=1, units=5000, frozen=1)
    yield from asyncio.run(_claim(shop, made))


async def _claim(shop: Shop, made: dict[str, Any]) -> list[Figure]:
    [product] = made["products"]
    goods = [{"goodsId": product, "goodsAmount": 1}]
    async with crowd_at(shop) as crowd:
        asked = {"address": PLACE, "orderGoods": goods}
        answer = await crowd.call("POST", f"{API}/common/deliverySlots", json=asked)
        window = answer.body["result"]["slots"][-1]
        by_van = {"deliverySlot": window["deliverySlot"]}
        pick_up_shop = (await crowd.call("GET", f"{API}/shops")).body["result"][0]
        hour = pick_up_shop["slots"][-1]
        pick_up = {
            "shippingType": 3,
            "shopId": pick_up_shop["shopId"],
            "terminalDateTime": hour["terminalDateTime"],
        }
        return [
            await _figure(shop, crowd, made, goods, "a window of the van", by_van, window["left"]),
            await _figure(shop, crowd, made, goods, "an hour of a shop", pick_up, hour["left"]),
        ]


async def _figure(
    shop: Shop,
    crowd: Crowd,
    made: dict[str, Any],
    goods: list[dict[str, int]],
    name: str,
    way: dict[str, Any],
    places: int,
) -> Figure:
    async def claim(buyer: dict[str, Any]) -> str:
        code = buyer["codes"].pop()
        basket = {"orderGoods": goods, "actionGoods": []} | way
        return (await insist(lambda: crowd.order_basket(buyer, basket, code))).outcome

    claimed = Counter(await run_concurrently(claim, made["buyers"]))
    # What PostgreSQL's deadlocks leave in the log.
    deadlocks = shop.log_lines("runs again after 40")
    return Figure(
        f"more bookings than {name} has places",
        f"{CLAIMS} orders for {places} places, 32 at a time",
        f"{dict(claimed)}, {crowd.faults()} faults, {deadlocks} deadlocks",
        f"{places} ok, 0 faults, 0 deadlocks",
        claimed == Counter(ok=places, parameter_error=CLAIMS - places)
        and not crowd.faults()
        and not deadlocks,
    )
