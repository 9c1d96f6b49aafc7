"""More claims than a promotion has units (docs/guarantees/prices.md#promotion-limits)."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from tools.chaos.crowd import API, Crowd, crowd_at, insist, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

CLAIMS, QUOTA = 200, 10
LIMIT, ORDERS_OF_ONE = 4, 60
# One customer sends many orders.
SETTINGS = {"MAX_UNPAID_ORDERS": "1000", "MAX_UNPAID_ORDERS_A_DAY": "1000"}


def run(shop: Shop) -> Iterator[Figure]:
    """Let 200 buyers claim ten units while carts change; one customer more than their share; some cancel.

    Then let 200 buyers order what ten gifts come with.
    """
    shop.start()
    made = shop.prepare(customers=CLAIMS, codes=2, products=1, units=5000, quota=QUOTA)
    yield asyncio.run(_claim(shop, made))
    made = shop.prepare(customers=1, codes=ORDERS_OF_ONE, products=1, units=5000, quota=1000, limit=LIMIT)
    yield asyncio.run(_claim_for_one(shop, made))
    made = shop.prepare(customers=CLAIMS, codes=2, products=1, units=5000, quota=QUOTA)
    yield asyncio.run(_claim_and_cancel(shop, made))
    made = shop.prepare(customers=CLAIMS, codes=2, products=2, units=5000, gifts=QUOTA)
    yield asyncio.run(_claim_gifts(shop, made))


async def _claim(shop: Shop, made: dict[str, Any]) -> Figure:
    [product], promotion = made["products"], made["promotion"]

    outcomes: Counter[str] = Counter()

    async def claim(buyer: dict[str, Any]) -> None:
        code = buyer["codes"].pop()
        # The cart has the same product, and changes while the order is made.
        answer, _ = await asyncio.gather(
            insist(lambda: crowd.order(buyer, [(product, 1)], code, promotion=promotion)),
            _edit_cart(carts, buyer, product),
        )
        outcomes[answer.outcome] += 1

    async with crowd_at(shop) as crowd, crowd_at(shop) as carts:
        await run_concurrently(claim, made["buyers"])
    faults = crowd.faults() + carts.faults()
    return Figure(
        "more claims than a promotion has units",
        f"{CLAIMS} claims of {QUOTA} units, 32 at a time, while {len(carts.answers)} edits of carts",
        f"{dict(outcomes)}, {faults} faults, p99 {crowd.slowest(0.99):.2f} s",
        f"{QUOTA} ok, {CLAIMS - QUOTA} stock_insufficient, 0 faults",
        outcomes == Counter(ok=QUOTA, stock_insufficient=CLAIMS - QUOTA) and not faults,
    )


async def _edit_cart(crowd: Crowd, buyer: dict[str, Any], product: int) -> None:
    path, token = f"{API}/shoppingCart", buyer["token"]
    for method, amount in (("POST", 3), ("PUT", 2)):
        line = {"goodsId": product, "goodsAmount": amount}
        await insist(partial(crowd.call, method, path, token=token, json=line))


async def _claim_for_one(shop: Shop, made: dict[str, Any]) -> Figure:
    [buyer], [product], promotion = made["buyers"], made["products"], made["promotion"]
    async with crowd_at(shop) as crowd:
        answers = await run_concurrently(
            lambda code: insist(lambda: crowd.order(buyer, [(product, 1)], code, promotion=promotion)),
            buyer["codes"],
        )
    outcomes = Counter(answer.outcome for answer in answers)
    return Figure(
        "one customer beyond their share of a promotion",
        f"{ORDERS_OF_ONE} orders of one unit, {LIMIT} allowed, 32 at a time",
        f"{dict(outcomes)}",
        f"{LIMIT} ok, {ORDERS_OF_ONE - LIMIT} amount_above_limit",
        outcomes == Counter(ok=LIMIT, amount_above_limit=ORDERS_OF_ONE - LIMIT),
    )


async def _claim_and_cancel(shop: Shop, made: dict[str, Any]) -> Figure:
    [product], promotion = made["products"], made["promotion"]
    canceled = 0

    async def claim(number: int) -> str:
        """Claim a unit; every second buyer who has one gives it back immediately."""
        nonlocal canceled
        buyer = made["buyers"][number]
        code = buyer["codes"].pop()
        answer = await insist(lambda: crowd.order(buyer, [(product, 1)], code, promotion=promotion))
        if answer.outcome == "ok" and number % 2:
            path = f"{API}/order/cancel/{answer.body['result']['orderNo']}"
            given_back = await insist(lambda: crowd.call("PUT", path, token=buyer["token"]))
            canceled += given_back.outcome == "ok"
            return "canceled"
        return answer.outcome

    async with crowd_at(shop) as crowd:
        outcomes = Counter(await run_concurrently(claim, range(CLAIMS)))
        # What was given back can be claimed again: afterwards nothing of the quota is left.
        outcomes.update(await run_concurrently(claim, range(0, CLAIMS, 2)))
    return Figure(
        "claims of a promotion while others give back",
        f"{CLAIMS} claims of {QUOTA} units, {canceled} canceled immediately, then {CLAIMS // 2} claims more",
        f"{dict(outcomes)}, {crowd.faults()} faults",
        f"{QUOTA} ok, 0 faults",
        outcomes["ok"] == QUOTA
        and outcomes["canceled"] == canceled
        and set(outcomes) <= {"ok", "canceled", "stock_insufficient"}
        and not crowd.faults(),
    )


async def _claim_gifts(shop: Shop, made: dict[str, Any]) -> Figure:
    (product, gift), promotion = made["products"], made["promotion"]
    given = 0

    async def order(buyer: dict[str, Any]) -> str:
        nonlocal given
        code = buyer["codes"].pop()
        answer = await insist(lambda: crowd.order(buyer, [(product, 1)], code, promotion=promotion))
        if answer.outcome == "ok":
            detail = await crowd.order_detail(buyer, answer.body["result"]["orderNo"])
            given += sum(line["goodsAmount"] for line in detail["goods"] if line["goodsId"] == gift)
        return answer.outcome

    async with crowd_at(shop) as crowd:
        outcomes = Counter(await run_concurrently(order, made["buyers"]))
    return Figure(
        "more orders than a promotion has gifts",
        f"{CLAIMS} orders that {QUOTA} gifts come with, 32 at a time",
        f"{dict(outcomes)}, {given} gifts, {crowd.faults()} faults",
        f"{CLAIMS} ok, {QUOTA} gifts, 0 faults",
        outcomes == Counter(ok=CLAIMS) and given == QUOTA and not crowd.faults(),
    )
