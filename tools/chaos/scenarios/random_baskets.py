"""Random baskets whose orders cost what their previews showed (docs/wire.md#orderpreview)."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

from commerce.orders.tests.agreement import disagreements
from tools.chaos.crowd import API, crowd_at, insist, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

SEEDS, BASKETS = 5, 200
PERTH = "Australia-WA-Perth-6000"
SETTINGS = {"MAX_UNPAID_AMOUNT": "1000000"}


def run(shop: Shop) -> Iterator[Figure]:
    """Let 200 buyers preview and order a basket each, in five shops of random prices and promotions."""
    shop.start()
    for seed in range(SEEDS):
        made = shop.prepare(customers=BASKETS, codes=1, baskets=BASKETS, seed=seed)
        yield asyncio.run(_compare(shop, made, seed))


async def _compare(shop: Shop, made: dict[str, Any], seed: int) -> Figure:
    outcomes: Counter[str] = Counter()
    wrong: Counter[str] = Counter()

    async def compare(place: int) -> None:
        buyer, basket = made["buyers"][place], made["baskets"][place]
        asked = basket | {"shippingType": "2", "address": PERTH}
        path = f"{API}/order/preview"
        shown = await insist(lambda: crowd.call("POST", path, token=buyer["token"], json=asked))
        placed = await insist(lambda: crowd.order_basket(buyer, basket, buyer["codes"][0]))
        outcomes[placed.outcome] += 1
        if shown.outcome != placed.outcome:
            wrong[f"{shown.outcome} before {placed.outcome}"] += 1
        elif placed.outcome == "ok":
            detail = await crowd.order_detail(buyer, placed.body["result"]["orderNo"])
            wrong.update(disagreements(shown.body["result"], detail))

    async with crowd_at(shop) as crowd:
        await run_concurrently(compare, range(BASKETS), width=8)
    return Figure(
        "orders that cost otherwise than their previews",
        f"{BASKETS} random baskets of seed {seed}, 8 at a time",
        f"{dict(wrong) or 'none'}, {dict(outcomes)}, {crowd.faults()} faults",
        f"none, 0 faults, at least {BASKETS // 2} ok",
        not wrong and not crowd.faults() and outcomes["ok"] >= BASKETS // 2,
    )
