"""A database server that ends connections, hangs or stops (docs/guarantees/operation.md#waiting)."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import cycle
from typing import Any

from tools.chaos.crowd import Answer, Crowd, crowd_at, repeating
from tools.chaos.engines import Postgres
from tools.chaos.figures import Figure
from tools.chaos.proxy import Proxy, proxy_to
from tools.chaos.shops import Shop
from tools.launch import HOST

# A customer may begin sixty orders in two hours.
BUYERS, CUSTOMERS = 6, 120
RETRY_SECONDS = 1.0
MAX_FAILED = 0.01
MAX_LOOK_SECONDS = 1.0
# A few looks find out that the database is gone: a statement's limit, its margin, and a second.
MAX_FINDING_SECONDS = 8.0 + 2.0 + 1.0
MAX_NOTICE_SECONDS = 10.0
TERMINATE_SECONDS, OTHER_SECONDS, PAUSE_SECONDS = 60, 20, 2
DELAY_SECONDS = 0.05
KEPT = ("/livez", "/home", "/zh-hans/home", "/shop")
LIMITS = {"MAX_UNPAID_ORDERS": "100000", "MAX_UNPAID_ORDERS_A_DAY": "100000"}
_TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"


def run(shop: Shop) -> Iterator[Figure]:
    """Let six buy and one look at pages, while one thing after the other happens to PostgreSQL."""
    if isinstance(shop.engine, Postgres):
        made = shop.prepare(customers=CUSTOMERS, products=1, units=100_000, dollars=90_000)
        yield from asyncio.run(_Faults(shop, shop.engine, made).all())


class _Faults:
    """Buyers and readers of one shop that reaches its database through a proxy."""

    def __init__(self, shop: Shop, server: Postgres, made: dict[str, Any]) -> None:
        self._shop = shop
        self._server = server
        self._customers = cycle(made["buyers"])
        [self._product] = made["products"]
        self._calls: list[bool] = []
        self._probes: list[tuple[float, bool]] = []

    async def all(self) -> list[Figure]:
        """Make every fault, one after the other."""
        url = self._server.url(self._shop.folder)
        async with proxy_to(self._server.port) as proxy:
            through = url.replace(f"{HOST}:{self._server.port}", f"{HOST}:{proxy.port}")
            shop = Shop(self._server, self._shop.folder, **LIMITS, DATABASE_URL=through)
            try:
                await asyncio.to_thread(shop.start)
                return [each async for each in self._faults(shop, proxy)]
            finally:
                await asyncio.to_thread(shop.stop)

    async def _faults(self, shop: Shop, proxy: Proxy) -> AsyncIterator[Figure]:
        name = self._shop.engine.url(self._shop.folder).rpartition("/")[2]
        # The server's programs are waited for; the proxy belongs to this loop, which they would hold up.
        aside = partial(partial, asyncio.to_thread)
        terminate = aside(self._server.execute, _TERMINATE.format(name=name))
        async with self._crowds(shop) as crowds:
            for fault, seconds, make in (
                ("its connections terminated every 2 s", TERMINATE_SECONDS, partial(_each, terminate)),
                (f"each packet {DELAY_SECONDS * 1000:.0f} ms late", OTHER_SECONDS, partial(_delay, proxy)),
                ("its connections reset every 2 s", OTHER_SECONDS, partial(_each, proxy.reset)),
            ):
                self._begin(crowds)
                await make(seconds)
                yield self._of_buyers(crowds, fault, seconds)
                # A request for a page waits for each of its statements.
                yield self._of_looks(crowds, fault, seconds, MAX_FINDING_SECONDS)
            for fault, lose, find in (
                ("nothing passes", proxy.block, proxy.unblock),
                ("the server stopped", aside(self._server.stop), aside(self._server.start)),
                ("the server is suspended", aside(self._server.stall), aside(self._server.go_on)),
            ):
                self._begin(crowds)
                lost_at, found_at = await _gone(lose, find)
                await asyncio.sleep(MAX_NOTICE_SECONDS)
                yield self._of_health(fault, lost_at, found_at)
                yield self._of_refusals(crowds, fault)
                yield self._of_looks(crowds, fault, OTHER_SECONDS, MAX_LOOK_SECONDS)
            self._begin(crowds)
            await asyncio.sleep(MAX_NOTICE_SECONDS)
            yield self._of_buyers(crowds, "all is well again", MAX_NOTICE_SECONDS)

    @asynccontextmanager
    async def _crowds(self, shop: Shop) -> AsyncIterator[dict[str, Crowd]]:
        """Let buyers buy, a reader look at each page, and a probe ask for the shop's health."""
        async with AsyncExitStack() as stack:
            enter = stack.enter_async_context
            buyers, probe = await enter(crowd_at(shop)), await enter(crowd_at(shop))
            looks = {path: await enter(crowd_at(shop)) for path in KEPT}
            for path, crowd in looks.items():
                await crowd.warm_up([path])
            for _ in range(BUYERS):
                await enter(repeating(lambda: self._buy(buyers, next(self._customers))))
            for path, crowd in looks.items():
                await enter(repeating(partial(crowd.look, [path], pause=0.1)))
            await enter(repeating(partial(self._probe, probe)))
            yield {"buyers": buyers, **looks}

    async def _buy(self, crowd: Crowd, buyer: dict[str, Any]) -> None:
        trade = await self._insist(lambda: crowd.call("POST", "/api/v1/pc/toTrade", token=buyer["token"]))
        code = (trade.body.get("result") or {}).get("transactionCode", "")
        if code:
            order = await self._insist(lambda: crowd.order(buyer, [(self._product, 1)], code))
            if order.outcome == "ok":
                await self._insist(lambda: crowd.pay(buyer, order.body["result"]["orderNo"]))
        await asyncio.sleep(0.2)

    async def _insist(self, call: Callable[[], Awaitable[Answer]]) -> Answer:
        """Call, and once more where that fails."""
        answer = await call()
        if answer.outcome != "ok":
            await asyncio.sleep(RETRY_SECONDS)
            answer = await call()
        self._calls.append(answer.outcome in ("ok", "order_paid"))
        return answer

    async def _probe(self, crowd: Crowd) -> None:
        answer = await crowd.call("GET", "/readyz")
        self._probes.append((time.monotonic(), answer.status == 200))
        await asyncio.sleep(0.25)

    def _begin(self, crowds: dict[str, Crowd]) -> None:
        self._calls.clear()
        self._probes.clear()
        for crowd in crowds.values():
            crowd.answers.clear()

    def _of_buyers(self, crowds: dict[str, Crowd], fault: str, seconds: float) -> Figure:
        failed = self._calls.count(False)
        part = failed / max(1, len(self._calls))
        raw = [each for each in crowds["buyers"].answers if each.is_raw]
        return Figure(
            f"{fault}, for {seconds:.0f} s",
            f"{len(self._calls)} calls of {BUYERS} buyers, each tried twice at most",
            f"{part:.1%} failed, {len(raw)} bare; {dict(crowds['buyers'].outcomes())}",
            f"≤ {MAX_FAILED:.0%} failed, 0 with a bare status of 500 or above",
            part <= MAX_FAILED and not raw and bool(self._calls),
        )

    def _of_refusals(self, crowds: dict[str, Crowd], fault: str) -> Figure:
        buyers = crowds["buyers"]
        raw = [each for each in buyers.answers if each.is_raw or not each.status]
        return Figure(
            fault,
            f"{len(buyers.answers)} calls of {BUYERS} buyers",
            f"{len(raw)} bare or lost; {dict(buyers.outcomes())}, slowest {buyers.slowest(1):.1f} s",
            "0 with a bare status of 500 or above, 0 without an answer",
            not raw,
        )

    def _of_health(self, fault: str, lost_at: float, found_at: float) -> Figure:
        red = [at - lost_at for at, is_ready in self._probes if not is_ready and at >= lost_at]
        green = [at - found_at for at, is_ready in self._probes if is_ready and at >= found_at]
        first_red, first_green = min(red, default=99.0), min(green, default=99.0)
        return Figure(
            fault,
            f"{OTHER_SECONDS} s, {len(self._probes)} looks at /readyz",
            f"red after {first_red:.1f} s, green {first_green:.1f} s after it is back",
            f"≤ {MAX_NOTICE_SECONDS:.0f} s each",
            first_red <= MAX_NOTICE_SECONDS and first_green <= MAX_NOTICE_SECONDS,
        )

    def _of_looks(self, crowds: dict[str, Crowd], fault: str, seconds: float, usual: float) -> Figure:
        """Measure the looks; `usual`: the seconds that nearly all of them may take."""
        slowest = {path: crowds[path].slowest(1) for path in KEPT}
        most = max(crowds[path].slowest(0.95) for path in KEPT)
        each = ", ".join(f"{path} {taken:.2f} s" for path, taken in slowest.items())
        statuses = Counter(each.status for path in KEPT for each in crowds[path].answers)
        return Figure(
            f"{fault}, for {seconds:.0f} s",
            f"{statuses.total()} looks at {', '.join(KEPT)}",
            f"p95 {most:.2f} s, slowest {each}; {dict(statuses)}",
            f"p95 ≤ {usual:.0f} s, slowest ≤ {MAX_FINDING_SECONDS:.0f} s, all 200",
            most <= usual and max(slowest.values()) <= MAX_FINDING_SECONDS and set(statuses) == {200},
        )


async def _gone(
    lose: Callable[[], Awaitable[None]], find: Callable[[], Awaitable[None]]
) -> tuple[float, float]:
    """Lose the database for a while; returns when it was lost, and when it was found again."""
    try:
        await lose()
        lost_at = time.monotonic()
        await asyncio.sleep(OTHER_SECONDS)
    finally:
        await find()
    return lost_at, time.monotonic()


async def _each(make: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Make a fault every PAUSE_SECONDS."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await make()
        await asyncio.sleep(PAUSE_SECONDS)


async def _delay(proxy: Proxy, seconds: float) -> None:
    proxy.delay = DELAY_SECONDS
    await asyncio.sleep(seconds)
    proxy.delay = 0.0
