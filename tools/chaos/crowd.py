"""Customers who call the shop's API concurrently."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from core.errors import Err
from tools.chaos.figures import ScenarioError, share
from tools.chaos.shops import Shop

T = TypeVar("T")
R = TypeVar("R")
API = "/api/v1/pc"
# Refusals that ask to come again.
BUSY = frozenset({"shop_busy", "too_frequent"})
_PROOF = re.compile(r'name="proof" value="([^"]+)"')
PASSWORD = "888888"  # noqa: S105  what the builders of customers use


@dataclass(frozen=True)
class Answer:
    """What the shop answered: the HTTP status (0 for none), its seconds, and the envelope."""

    status: int
    seconds: float
    body: dict[str, Any] = field(default_factory=dict)

    @property
    def outcome(self) -> str:
        """What became of it: ok, the reason of a refusal, the status of another answer, or lost."""
        if not self.status:
            return "lost"
        return str(self.body.get("reason") or ("ok" if self.body.get("code") == 0 else self.status))

    @property
    def is_raw(self) -> bool:
        """Whether it is a fault that does not report that the shop is unavailable."""
        return self.status >= 500 and self.outcome != Err.shop_unavailable.name


class Crowd:
    """A client of one shop that notes how long each answer took."""

    def __init__(self, shop: Shop, client: httpx.AsyncClient) -> None:
        self.shop = shop
        self.client = client
        self.answers: list[Answer] = []

    async def call(
        self,
        method: str,
        path: str,
        *,
        token: str = "",
        headers: dict[str, str] | None = None,
        **content: Any,
    ) -> Answer:
        """Send one request; a connection that breaks or times out is an answer with status 0."""
        headers = (headers or {}) | ({"token": token} if token else {})
        started = time.perf_counter()
        try:
            response = await self.client.request(method, path, headers=headers, **content)
        except httpx.HTTPError:
            answer = Answer(0, time.perf_counter() - started)
        else:
            is_json = response.headers.get("Content-Type", "").startswith("application/json")
            seconds = time.perf_counter() - started
            answer = Answer(response.status_code, seconds, response.json() if is_json else {})
        self.answers.append(answer)
        return answer

    async def proof(self, page: str) -> str:
        """Return what the gateway's page wants with a decision; empty if the page does not come."""
        try:
            found = _PROOF.search((await self.client.get(page)).text)
        except httpx.HTTPError:
            return ""
        return found[1] if found else ""

    async def trade(self, buyer: dict[str, Any]) -> str:
        """Ask for the code of an order; empty where it is refused."""
        answer = await self.call("POST", f"{API}/toTrade", token=buyer["token"])
        return str((answer.body.get("result") or {}).get("transactionCode", ""))

    async def order(self, buyer: dict[str, Any], lines: Iterable[tuple[int, int]], code: str) -> Answer:
        """Send an order of products and amounts to the buyer's address."""
        goods = [{"goodsId": product, "goodsAmount": amount} for product, amount in lines]
        delivery = {"shippingType": 2, "deliveryAddressId": buyer["address"]}
        body = {"transactionCode": code, "orderGoods": goods, "actionGoods": [], **delivery}
        return await self.call("POST", f"{API}/order", token=buyer["token"], json=body)

    async def pay(self, buyer: dict[str, Any], order_no: str, pay_type: str = "0", **more: object) -> Answer:
        """Pay an order, by default from the wallet; `more`: further fields of the request."""
        body = {"orderNo": order_no, "payType": pay_type, "password": PASSWORD, **more}
        return await self.call("POST", f"{API}/order/pay", token=buyer["token"], json=body)

    async def buy(self, buyer: dict[str, Any], product: int, code: str = "") -> tuple[str, str]:
        """Order a unit and pay it from the wallet.

        Return the number of the order, empty if it is refused, and what became of the last call.
        """
        code = code or await self.trade(buyer)
        if not code:
            return "", "no code"
        placed = await self.order(buyer, [(product, 1)], code)
        if placed.outcome != "ok":
            return "", placed.outcome
        order_no = str(placed.body["result"]["orderNo"])
        return order_no, (await self.pay(buyer, order_no)).outcome

    async def begin_to_pay(self, buyer: dict[str, Any], order_no: str, pay_type: str) -> str:
        """Begin to pay an order at the gateway; return the address of its page, empty if it is refused."""
        answer = await self.pay(buyer, order_no, pay_type)
        return str((answer.body.get("result") or {}).get("jumpUrl", ""))

    async def cancel(self, buyer: dict[str, Any], order_no: str) -> Answer:
        """Cancel an order."""
        return await self.call("PUT", f"{API}/order/cancel/{order_no}", token=buyer["token"])

    async def is_paid(self, buyer: dict[str, Any], order_no: str) -> bool:
        """Look at the result of a payment, which polls the provider; return True if it is paid."""
        answer = await self.call("GET", f"{API}/pay/result/{order_no}", token=buyer["token"])
        return bool((answer.body.get("result") or {}).get("paid"))

    async def look(self, paths: Iterable[str], *, pause: float = 0.05) -> None:
        """Read pages one after the other, then pause for some seconds."""
        for path in paths:
            await self.call("GET", path)
        await asyncio.sleep(pause)

    async def warm_up(self, paths: Iterable[str]) -> None:
        """Read pages once, so that their content is loaded, without noting how long that took."""
        await self.look(paths, pause=0)
        self.answers.clear()

    async def order_detail(self, buyer: dict[str, Any], order_no: str) -> dict[str, Any]:
        """Return one of the buyer's orders in full, with its payments and refunds; asks no provider."""
        answer = await self.call("GET", f"{API}/order/detailed/{order_no}", token=buyer["token"])
        return dict(answer.body["result"])

    async def pay_at_gateway(self, address: str) -> Answer:
        """Pay on the sandbox gateway's page, and come back to the shop."""
        form = {"proof": await self.proof(address), "outcome": "paid"}
        decided = await self.client.post(address, data=form)
        return await self.call("GET", decided.headers.get("Location", "/no-way-back"))

    def outcomes(self) -> Counter[str]:
        """Count what became of all calls so far."""
        return Counter(answer.outcome for answer in self.answers)

    def faults(self) -> int:
        """Count the answers with a status of 500 or above, and those that never came."""
        return sum(answer.status >= 500 or not answer.status for answer in self.answers)

    def slowest(self, part: float) -> float:
        """Return the seconds within which a part of the answers came: 0.99 for the 99th percentile."""
        return share([answer.seconds for answer in self.answers], part)


@asynccontextmanager
async def crowd_at(shop: Shop, *, connections: int = 100, timeout: float = 60) -> AsyncIterator[Crowd]:
    """Give a client of a shop that keeps as many connections at most."""
    # The shop closes an idle connection after five seconds.
    limits = httpx.Limits(max_connections=connections, keepalive_expiry=4)
    async with httpx.AsyncClient(base_url=shop.url, timeout=timeout, limits=limits) as client:
        yield Crowd(shop, client)


async def run_concurrently(
    work: Callable[[T], Awaitable[R]], each: Sequence[T], *, width: int = 32
) -> list[R]:
    """Do work on each item, at most `width` at a time; returns the results in the items' order."""
    slots = asyncio.Semaphore(width)

    async def one(item: T) -> R:
        async with slots:
            return await work(item)

    return list(await asyncio.gather(*map(one, each)))


async def insist(
    call: Callable[[], Awaitable[Answer]], *, pause: float = 0.2, seconds: float = 600
) -> Answer:
    """Call again for as long as the answer asks to come again; returns the last one."""
    until = time.monotonic() + seconds
    while (answer := await call()).outcome in BUSY and time.monotonic() < until:
        await asyncio.sleep(pause)
    return answer


def buy_unit(shop: Shop) -> tuple[dict[str, Any], str]:
    """Let a new customer buy a unit; return them and the number of the order. Raise ScenarioError."""
    made = shop.prepare(customers=1, products=1, units=10, dollars=1000)
    [buyer], [product] = made["buyers"], made["products"]

    async def buy() -> tuple[str, str]:
        async with crowd_at(shop) as crowd:
            return await crowd.buy(buyer, product)

    order_no, outcome = asyncio.run(buy())
    if outcome != "ok":
        raise ScenarioError(f"no order can be made and paid: {outcome}")
    return buyer, order_no


async def order_unit(crowd: Crowd, buyer: dict[str, Any], product: int) -> dict[str, Any]:
    """Order a unit with the next of the buyer's codes until it is accepted; return the shop's result."""
    code = buyer["codes"].pop()
    answer = await insist(lambda: crowd.order(buyer, [(product, 1)], code))
    return dict(answer.body["result"])


async def wait_until(is_so: Callable[[], Awaitable[object]], seconds: float, *, pause: float = 0.25) -> float:
    """Wait until something is so; return after how many seconds, at most `seconds`."""
    started = time.monotonic()
    while time.monotonic() < started + seconds and not await is_so():
        await asyncio.sleep(pause)
    return min(seconds, time.monotonic() - started)


@asynccontextmanager
async def repeating(work: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Do some work over and over while the block runs."""
    is_over = False

    async def repeat() -> None:
        while not is_over:
            await work()

    task = asyncio.create_task(repeat())
    try:
        yield
    finally:
        is_over = True
        await task
