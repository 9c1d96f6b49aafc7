"""Many buyers of few units (docs/guarantees.md#stock)."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from config.storm.crowd import Crowd, all_at_once, crowd_at
from config.storm.figures import Figure
from config.storm.shops import Shop

ROUNDS = 10
P99_SECONDS = 1.5


def run(shop: Shop) -> Iterator[Figure]:
    """Let 500 buyers order the last 20 units, ten times; 2,000 the last 50; 500 order baskets of three."""
    shop.start()
    made = shop.prepare(customers=2000, products=ROUNDS, units=20)
    for product in made["products"]:
        yield asyncio.run(_sell(shop, made["buyers"][:500], product, 20))
    [product] = shop.prepare(products=1, units=50)["products"]
    yield asyncio.run(_sell(shop, made["buyers"], product, 50))
    products = shop.prepare(products=20, units=40)["products"]
    yield asyncio.run(_baskets(shop, made["buyers"][:500], products))


async def _sell(shop: Shop, buyers: Sequence[dict[str, Any]], product: int, units: int) -> Figure:
    async with crowd_at(shop) as crowd:
        codes = await all_at_once(crowd.trade, buyers)
    async with crowd_at(shop) as crowd:
        await all_at_once(
            lambda pair: crowd.order(pair[0], [(product, 1)], pair[1]), list(zip(buyers, codes, strict=True))
        )
        outcomes = crowd.outcomes()
    wanted = Counter(ok=units, stock_insufficient=len(buyers) - units)
    return Figure(
        "more buyers than units",
        f"{len(buyers)} buyers, {units} units, 32 at a time",
        f"{outcomes['ok']} sold, {crowd.faults()} faults, p99 {crowd.slowest(0.99):.2f} s",
        f"{units} sold, 0 faults, p99 ≤ {P99_SECONDS} s",
        outcomes == wanted and crowd.slowest(0.99) <= P99_SECONDS,
    )


async def _baskets(shop: Shop, buyers: Sequence[dict[str, Any]], products: Sequence[int]) -> Figure:
    choose = random.Random(1)  # noqa: S311  the same baskets each time

    async def buy(crowd: Crowd, buyer: dict[str, Any]) -> None:
        lines = [(product, 1) for product in choose.sample(products, 3)]
        await crowd.order(buyer, lines, await crowd.trade(buyer))

    async with crowd_at(shop) as crowd:
        await all_at_once(lambda buyer: buy(crowd, buyer), buyers)
    retries = shop.log_lines("deadlock")
    return Figure(
        "baskets that lock rows in any order",
        f"{len(buyers)} baskets of three of {len(products)} products, 32 at a time",
        f"{crowd.faults()} faults, {retries} deadlocks, p99 {crowd.slowest(0.99):.2f} s",
        f"0 faults, 0 deadlocks, p99 ≤ {P99_SECONDS} s",
        not crowd.faults() and not retries and crowd.slowest(0.99) <= P99_SECONDS,
    )
