"""Many buyers of few units (docs/guarantees/orders.md#stock)."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tools.chaos.crowd import Answer, Crowd, crowd_at, insist, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

ROUNDS = 10
P99_SECONDS = 1.5
# The first buyers get a unit in every round.
SETTINGS = {"MAX_UNPAID_ORDERS": "1000", "MAX_UNPAID_ORDERS_A_DAY": "1000"}


def run(shop: Shop) -> Iterator[Figure]:
    """Let 500 buyers order the last 20 units, ten times; 2,000 the last 50; 500 order baskets of three."""
    shop.start()
    made = shop.prepare(customers=2000, codes=ROUNDS + 2, products=ROUNDS, units=20)
    for product in made["products"]:
        yield asyncio.run(_sell(shop, made["buyers"][:500], product, 20))
    [product] = shop.prepare(products=1, units=50)["products"]
    yield asyncio.run(_sell(shop, made["buyers"], product, 50))
    products = shop.prepare(products=20, units=40)["products"]
    yield asyncio.run(_baskets(shop, made["buyers"][:500], products))


async def _sell(shop: Shop, buyers: Sequence[dict[str, Any]], product: int, units: int) -> Figure:
    async with crowd_at(shop) as crowd:
        answers = await run_concurrently(lambda buyer: _buy(crowd, buyer, [product]), buyers)
    outcomes, p99 = Counter(answer.outcome for answer in answers), crowd.slowest(0.99)
    again = len(crowd.answers) - len(buyers)
    return Figure(
        "more buyers than units",
        f"{len(buyers)} buyers, {units} units, 32 at a time",
        f"{outcomes['ok']} sold, {crowd.faults()} faults, p99 {p99:.2f} s, {again} sent again",
        f"{units} sold, 0 faults, p99 ≤ {P99_SECONDS} s",
        outcomes == Counter(ok=units, stock_insufficient=len(buyers) - units)
        and not crowd.faults()
        and p99 <= P99_SECONDS,
    )


async def _baskets(shop: Shop, buyers: Sequence[dict[str, Any]], products: Sequence[int]) -> Figure:
    choose = random.Random(1)  # noqa: S311  the same baskets each time
    async with crowd_at(shop) as crowd:
        await run_concurrently(lambda buyer: _buy(crowd, buyer, choose.sample(products, 3)), buyers)
    # What `in_transaction` logs after a deadlock; it names PostgreSQL's code.
    retries, p99 = shop.log_lines("runs again after 40"), crowd.slowest(0.99)
    return Figure(
        "baskets that lock rows in any order",
        f"{len(buyers)} baskets of three of {len(products)} products, 32 at a time",
        f"{crowd.faults()} faults, {retries} deadlocks, p99 {p99:.2f} s",
        f"0 faults, 0 deadlocks, p99 ≤ {P99_SECONDS} s",
        not crowd.faults() and not retries and p99 <= P99_SECONDS,
    )


async def _buy(crowd: Crowd, buyer: dict[str, Any], products: Sequence[int]) -> Answer:
    """Order one unit of each product, and again whenever asked to come again."""
    code = buyer["codes"].pop()
    return await insist(lambda: crowd.order(buyer, [(product, 1) for product in products], code))
