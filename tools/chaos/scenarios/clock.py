"""The clock of a running shop is set ten minutes ahead and back (docs/guarantees/operation.md#clocks)."""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from tools.chaos.crowd import API, Crowd, crowd_at, repeating, wait_until
from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.shops import Shop
from tools.launch import ROOT

JUMP_SECONDS = 600
# How far the clock is ahead in each part: as it is, ahead, back, behind, and back again.
PARTS = (0, JUMP_SECONDS, 0, -JUMP_SECONDS, 0)
BUYERS, CONCURRENT = 60, 3
HOLD_MINUTES = 1
# An order ends at the first job after its time, and a job begins each minute.
MAX_END_SECONDS = HOLD_MINUTES * 60 + 60 + 30
# Until each queue has reported again that it works.
MAX_READY_SECONDS = 75
MAX_CHANGE_SECONDS = 6
SETTINGS = {
    "ORDER_HOLD_MINUTES": str(HOLD_MINUTES),
    "MAX_UNPAID_ORDERS": "1000",
    "MAX_UNPAID_ORDERS_A_DAY": "10000",
    "PYTHONPATH": os.pathsep.join(map(str, [ROOT / "tools" / "chaos" / "moved_clock", ROOT / "site", ROOT])),
}


def run(shop: Shop) -> Iterator[Figure]:
    """Let buyers order and pay all the time, and see after each jump whether everything goes on."""
    shop.start()
    made = shop.prepare(customers=BUYERS, products=2, units=100_000, dollars=100_000)
    yield from asyncio.run(_jump(shop, made))


async def _jump(shop: Shop, made: dict[str, Any]) -> list[Figure]:
    figures = []
    before = 0
    async with crowd_at(shop) as buyers, crowd_at(shop) as watcher:
        # A customer of its own, since the limits of orders count by customer.
        guard = made["buyers"].pop()
        begun = await _begin_to_pay(watcher, guard, made["products"][0])
        for ahead in PARTS:
            jump, before = ahead - before, ahead
            (shop.folder / "clock").write_text(str(ahead))
            await asyncio.sleep(0.5)
            buyers.answers.clear()
            async with _buying(buyers, made):
                figures += await _look(shop, watcher, guard, made["products"][1], jump, ahead)
                # What was begun before the jump is paid after it.
                paid = await _finish(watcher, guard, begun)
                begun = await _begin_to_pay(watcher, guard, made["products"][0])
            outcomes = buyers.outcomes()
            figures.append(
                Figure(
                    _named(jump),
                    f"{len(buyers.answers)} calls of buyers who order, pay and cancel",
                    f"{buyers.faults()} faults, {dict(outcomes)}; an order begun before it is {paid}",
                    "0 faults, all ok; paid",
                    not buyers.faults() and set(outcomes) == {"ok"} and paid == "paid",
                )
            )
    return figures


def _named(jump: int) -> str:
    return f"the clock is set {jump:+d} s" if jump else "the clock goes as it should"


@asynccontextmanager
async def _buying(crowd: Crowd, made: dict[str, Any]) -> Any:
    """Let a few buy one thing after the other while the block runs."""
    choose = random.Random(1)  # noqa: S311  the same choices each time

    async def buy() -> None:
        buyer = choose.choice(made["buyers"])
        ordered = await crowd.order(buyer, [(made["products"][0], 1)], await crowd.trade(buyer))
        number = (ordered.body.get("result") or {}).get("orderNo")
        if number and choose.random() < 0.3:
            await crowd.cancel(buyer, number)
        elif number:
            await crowd.pay(buyer, number)
        await asyncio.sleep(1)

    async with repeating(buy), repeating(buy), repeating(buy):
        yield


async def _look(
    shop: Shop, crowd: Crowd, guard: dict[str, Any], product: int, jump: int, ahead: int
) -> list[Figure]:
    """See that the clock is where it should be, and that jobs, pages and health go on."""
    ordered = await crowd.order(guard, [(product, 1)], await crowd.trade(guard))
    if ordered.outcome != "ok":
        raise ScenarioError(f"no order after {jump:+d} s: {ordered.outcome}")
    made_at, number = time.monotonic(), ordered.body["result"]["orderNo"]
    expires_at = datetime.fromisoformat(ordered.body["result"]["expireTime"])
    off = (expires_at - datetime.now(UTC)).total_seconds() - HOLD_MINUTES * 60 - ahead
    if abs(off) > 10:
        raise ScenarioError(f"the shop's clock is {off:.0f} s from where it was set")
    ready = await wait_until(lambda: _is_ready(crowd), MAX_READY_SECONDS)
    name = f"Renamed {ahead} {jump}"
    # Read once before, so that a page that is kept for too long would be shown.
    await _shows(crowd, product, name)
    await asyncio.to_thread(shop.do, "rename_product", str(product), name)
    changed = await wait_until(lambda: _shows(crowd, product, name), MAX_CHANGE_SECONDS)
    await wait_until(lambda: _has_ended(crowd, guard, number), 2 * MAX_END_SECONDS)
    ended = time.monotonic() - made_at
    return [
        Figure(
            _named(jump),
            "/readyz, a renamed product on its page, an unpaid order of a minute",
            f"ready after {ready:.0f} s, renamed after {changed:.1f} s, ended after {ended:.0f} s",
            f"≤ {MAX_READY_SECONDS} s, ≤ {MAX_CHANGE_SECONDS} s, ≤ {MAX_END_SECONDS} s",
            ready < MAX_READY_SECONDS and changed < MAX_CHANGE_SECONDS and ended < MAX_END_SECONDS,
        )
    ]


async def _is_ready(crowd: Crowd) -> bool:
    return (await crowd.call("GET", "/readyz")).status == 200


async def _shows(crowd: Crowd, product: int, name: str) -> bool:
    page = await crowd.client.get(f"/shop/shopdetails/{product}")
    return name in page.text


async def _has_ended(crowd: Crowd, guard: dict[str, Any], number: str) -> bool:
    await asyncio.sleep(1)
    answer = await crowd.call("GET", f"{API}/order/detailed/{number}", token=guard["token"])
    return bool(answer.body["result"]["statusLabel"] == "Canceled")


async def _begin_to_pay(crowd: Crowd, guard: dict[str, Any], product: int) -> tuple[str, str]:
    """Make an order and begin to pay it at the gateway; returns its number and where it is paid."""
    ordered = await crowd.order(guard, [(product, 1)], await crowd.trade(guard))
    number = ordered.body["result"]["orderNo"]
    return number, await crowd.begin_to_pay(guard, number, "5")


async def _finish(crowd: Crowd, guard: dict[str, Any], begun: tuple[str, str]) -> str:
    """Pay at the gateway what was begun; returns the order's state in the shop after a while."""
    number, address = begun
    await crowd.pay_at_gateway(address)
    seconds = await wait_until(lambda: crowd.is_paid(guard, number), 30)
    return "paid" if seconds < 30 else "not paid"
