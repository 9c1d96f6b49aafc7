"""More claims than a voucher has orders (docs/guarantees/prices.md#vouchers)."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tools.chaos.crowd import API, crowd_at, insist, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

CLAIMS, ORDERS = 100, 5


def run(shop: Shop) -> Iterator[Figure]:
    """Let 100 buyers order with a voucher for five; five cancel, and five others have it."""
    shop.start()
    made = shop.prepare(customers=CLAIMS, codes=2, products=1, units=5000, vouchers=ORDERS)
    yield asyncio.run(_claim(shop, made))


async def _claim(shop: Shop, made: dict[str, Any]) -> Figure:
    [product], voucher = made["products"], made["voucher"]
    winners = []

    async def claim(buyer: dict[str, Any]) -> str:
        code = buyer["codes"].pop()
        answer = await insist(lambda: crowd.order(buyer, [(product, 1)], code, voucher=voucher))
        if answer.outcome == "ok":
            winners.append((buyer, answer.body["result"]["orderNo"]))
        return answer.outcome

    async def cancel(winner: tuple[dict[str, Any], str]) -> str:
        buyer, number = winner
        path = f"{API}/order/cancel/{number}"
        return (await insist(lambda: crowd.call("PUT", path, token=buyer["token"]))).outcome

    async with crowd_at(shop) as crowd:
        first = Counter(await run_concurrently(claim, made["buyers"]))
        canceled = Counter(await run_concurrently(cancel, winners[:]))
        again = Counter(await run_concurrently(claim, made["buyers"]))
    expected = Counter(ok=ORDERS, voucher_used_up=CLAIMS - ORDERS)
    # What PostgreSQL's deadlocks leave in the log.
    deadlocks = shop.log_lines("runs again after 40")
    return Figure(
        "more claims than a voucher has orders",
        f"{CLAIMS} orders with a voucher for {ORDERS}, 32 at a time; all cancel and it is claimed again",
        f"{dict(first)}, canceled {dict(canceled)}, {dict(again)}, {crowd.faults()} faults, "
        f"{deadlocks} deadlocks",
        f"{ORDERS} ok each time, 0 faults, 0 deadlocks",
        first == again == expected and canceled["ok"] == ORDERS and not crowd.faults() and not deadlocks,
    )
