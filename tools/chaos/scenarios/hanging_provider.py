"""A payment provider that answers no request for half a minute
(docs/guarantees/operation.md#slow-gateways)."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tools.chaos.crowd import (
    BUSY,
    Crowd,
    crowd_at,
    insist,
    order_unit,
    repeating,
    run_concurrently,
    wait_until,
)
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop
from tools.fake_providers.royalpay import FakeRoyalPay
from tools.fake_providers.server import Trouble

PAYERS, DELAY_SECONDS = 50, 30
MAX_P95_SECONDS, MAX_PAYER_SECONDS = 0.5, 7.0
# As long as the answer to a payer shows.
PAUSE_SECONDS = 5
# Each process leaves the provider alone for a minute after it has failed.
MAX_SETTLED_SECONDS = 120
PAY_TYPE = "5"
BROWSED = ("/home", "/shop", "/zh-hans/shop", "/api/v1/pc/exchangeRate")


def run(shop: Shop) -> Iterator[Figure]:
    """Let fifty customers pay while the provider hangs and others browse; then let it answer again."""
    provider = FakeRoyalPay(notifies=False)
    with provider.running():
        fakes = f"{shop.environment['ALLOWED_FAKES']},royalpay-fake"
        shop.choose(ALLOWED_FAKES=fakes, **provider.settings)
        shop.start()
        made = shop.prepare(customers=PAYERS, codes=1, products=1, units=1000)
        yield from asyncio.run(_pay(shop, provider, made))


async def _pay(shop: Shop, provider: FakeRoyalPay, made: dict[str, Any]) -> list[Figure]:
    [product] = made["products"]
    async with crowd_at(shop) as payers, crowd_at(shop) as others, crowd_at(shop) as afterwards:
        orders = await run_concurrently(lambda buyer: order_unit(afterwards, buyer, product), made["buyers"])
        pairs = list(zip(made["buyers"], (order["orderNo"] for order in orders), strict=True))
        # A few have begun before, and look at the result while it hangs.
        for buyer, number in pairs[: PAYERS // 5]:
            await afterwards.pay(buyer, number, PAY_TYPE)
        await others.warm_up(BROWSED)
        provider.cause(Trouble.slow, times=1_000_000)
        asyncio.get_running_loop().call_later(DELAY_SECONDS, provider.relieve)
        async with repeating(lambda: others.look(BROWSED)):
            await asyncio.gather(*(_click(payers, *pair) for pair in pairs))
        outcomes = payers.outcomes()
        started = time.monotonic()
        answers = await run_concurrently(lambda pair: _go_on(afterwards, *pair), pairs, width=PAYERS)
        for reference in provider.orders:
            provider.pay(reference)
        paid = await run_concurrently(lambda pair: _look(afterwards, *pair), pairs)
        seconds = time.monotonic() - started
        charges = [len((await afterwards.order_detail(buyer, number))["payments"]) for buyer, number in pairs]
    p95, slowest = others.slowest(0.95), payers.slowest(1)
    begun = sum(answer.outcome == "ok" for answer in answers)
    return [
        Figure(
            f"a payment provider that hangs for {DELAY_SECONDS} s",
            f"{PAYERS} payers, {len(others.answers)} looks at {', '.join(BROWSED)}",
            f"browsing p95 {p95 * 1000:.0f} ms, {others.faults()} faults",
            f"p95 ≤ {MAX_P95_SECONDS * 1000:.0f} ms, 0 faults",
            p95 <= MAX_P95_SECONDS and not others.faults(),
        ),
        Figure(
            f"a payment provider that hangs for {DELAY_SECONDS} s",
            f"{len(payers.answers)} calls of {PAYERS} payers",
            f"slowest answer {slowest:.1f} s, {payers.faults()} faults, {dict(outcomes)}",
            f"≤ {MAX_PAYER_SECONDS:.0f} s, 0 faults, all asked to come again",
            slowest <= MAX_PAYER_SECONDS and not payers.faults() and set(outcomes) <= {*BUSY, "ok"},
        ),
        Figure(
            "the payment provider answers again",
            f"the same {PAYERS} payers",
            f"{begun} go on to pay, {sum(paid)} orders paid after {seconds:.0f} s, "
            f"{len(provider.orders)} charges, payments of an order {dict(Counter(charges))}",
            f"{PAYERS} go on and are paid within {MAX_SETTLED_SECONDS} s, {PAYERS} charges, 1 of each order",
            begun == sum(paid) == len(provider.orders) == PAYERS
            and set(charges) == {1}
            and seconds <= MAX_SETTLED_SECONDS,
        ),
    ]


async def _click(crowd: Crowd, buyer: dict[str, Any], number: str) -> None:
    """Try to pay and look at the result, again and again while the provider hangs."""
    until = time.monotonic() + DELAY_SECONDS
    while time.monotonic() < until:
        await crowd.pay(buyer, number, PAY_TYPE)
        await crowd.is_paid(buyer, number)
        await asyncio.sleep(PAUSE_SECONDS)


async def _go_on(crowd: Crowd, buyer: dict[str, Any], number: str) -> Any:
    return await insist(
        lambda: crowd.pay(buyer, number, PAY_TYPE), pause=PAUSE_SECONDS, seconds=MAX_SETTLED_SECONDS
    )


async def _look(crowd: Crowd, buyer: dict[str, Any], number: str) -> bool:
    """Return from the provider and look at the result until the money is there; return True if it is."""
    seconds = await wait_until(lambda: crowd.is_paid(buyer, number), MAX_SETTLED_SECONDS, pause=1)
    return seconds < MAX_SETTLED_SECONDS
