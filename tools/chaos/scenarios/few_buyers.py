"""Eight buyers order and pay at the same time; no request is refused, also on SQLite."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tools.chaos.crowd import Crowd, crowd_at, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

BUYERS, ORDERS_EACH = 8, 50
# As many unpaid orders as one buyer makes while others wait.
SETTINGS = {"MAX_UNPAID_ORDERS_A_DAY": "1000"}


def run(shop: Shop) -> Iterator[Figure]:
    """Place 400 orders and pay each from a wallet."""
    shop.start()
    made = shop.prepare(
        customers=BUYERS, codes=ORDERS_EACH, products=BUYERS, units=ORDERS_EACH, dollars=100_000
    )
    outcomes, crowd = asyncio.run(_buy(shop, made))
    yield Figure(
        f"{BUYERS} buyers at the same time",
        f"{BUYERS * ORDERS_EACH} orders, each paid from the wallet",
        f"{dict(outcomes)}, 99 % within {crowd.slowest(0.99):.2f} s, slowest {crowd.slowest(1):.2f} s",
        "all ok",
        outcomes == Counter(ok=2 * BUYERS * ORDERS_EACH),
    )


async def _buy(shop: Shop, made: dict[str, Any]) -> tuple[Counter[str], Crowd]:
    async with crowd_at(shop) as crowd:

        async def buy(each: tuple[dict[str, Any], int]) -> None:
            buyer, product = each
            for code in buyer["codes"]:
                await crowd.buy(buyer, product, code)

        await run_concurrently(buy, list(zip(made["buyers"], made["products"], strict=True)))
        return crowd.outcomes(), crowd
