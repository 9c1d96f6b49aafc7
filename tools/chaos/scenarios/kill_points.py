"""Processes killed at named points of the shop's work (docs/guarantees/README.md).

The points are before and after the commit, or the call of a gateway, of: making an order, paying all or
a part of it from the wallet, starting a payment, settling its outcome, sending a refund, noting that it is
done, sending a message, expiring an order.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from itertools import cycle
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import psycopg

from tools.chaos import limits
from tools.chaos.breaking.points import MYSELF, NAMES, OTHERS, REACHED, folder_of
from tools.chaos.crowd import API, Answer, Crowd, crowd_at, repeating
from tools.chaos.engines import Postgres
from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.shops import Shop

ROUNDS = 5
MAX_ASKED = 3
MAX_SETTLE_SECONDS = 120
REACH_SECONDS = 90
# A customer may begin sixty orders in two hours.
BYSTANDERS, OTHER_CUSTOMERS = 2, 60
# The web server gives up where one worker is killed again so soon after its start.
CALM_SECONDS = 6
# What consumers do.
BY_CONSUMERS = ("expiry", "message", "refund", "refunded")
REDIRECTING = "2"
UNPAID, PAID, CANCELED = 1, 2, 10
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "tools.chaos.settings",
    # Each message is asked for from another address.
    "TRUSTED_PROXIES": "1",
    "MAX_UNPAID_ORDERS": "10000",
    "MAX_UNPAID_ORDERS_A_DAY": "10000",
    "MAX_UNPAID_AMOUNT": "10000000",
}
_UNCOUNTED = "orders whose sales are not counted"
# An order, its page at the gateway, and the proof that the page wants.
_Begun = tuple[str, str, str]
T = TypeVar("T")


def run(shop: Shop) -> Iterator[Figure]:
    """Kill the process that reaches a point, five times at each; then PostgreSQL while they are there."""
    folder_of(shop.folder).mkdir()
    shop.start()
    yield from asyncio.run(_Kills(shop, MYSELF).all())
    if isinstance(shop.engine, Postgres):
        yield from asyncio.run(_Kills(shop, OTHERS).all())


class _Expected:
    """What is still to become true of orders and messages, and how long after the restart it did."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._pending: dict[str, tuple[Any, float]] = {}
        self.slowest = 0.0

    def add(self, key: str, wanted: Any, since: float) -> None:
        """Expect an order to have a status, or the message to an address to be sent."""
        self._pending[key] = (wanted, since)

    def count_from(self, since: float) -> None:
        """Count the time of what is left from this moment on: its worker was killed again."""
        self._pending = {key: (wanted, since) for key, (wanted, _) in self._pending.items()}

    async def look(self) -> list[str]:
        """Look once; returns what has not become true."""
        with suppress(psycopg.OperationalError):
            found = await asyncio.to_thread(self._found)
            for key, (wanted, since) in list(self._pending.items()):
                if found.get(key) == wanted:
                    self._pending.pop(key, None)
                    self.slowest = max(self.slowest, time.monotonic() - since)
        await asyncio.sleep(0.5)
        return list(self._pending)

    def _found(self) -> dict[str, Any]:
        rows = self._shop.engine.rows
        orders = rows(self._shop.folder, "SELECT order_no, status FROM orders_order")
        refunds = rows(
            self._shop.folder,
            "SELECT order_no, payments_refund.state FROM payments_refund"
            " JOIN payments_payment ON payments_payment.id = payment_id"
            " JOIN orders_order ON orders_order.id = order_id",
        )
        sent = rows(self._shop.folder, 'SELECT "to", sent_at IS NOT NULL FROM messaging_message')
        sales = rows(
            self._shop.folder,
            "SELECT count(*) FROM orders_order WHERE paid_at IS NOT NULL AND sales_counted_at IS NULL",
        )
        return (
            dict(orders)
            | {_refund_of(order_no): state for order_no, state in refunds}
            | {to: bool(is_sent) for to, is_sent in sent}
            | {_UNCOUNTED: sales[0][0]}
        )


class _Kills:
    """All kills of one kind, and what the shop has acknowledged in the meantime."""

    def __init__(self, shop: Shop, whom: str) -> None:
        self._shop = shop
        self._whom = whom
        self._expected = _Expected(shop)
        # Order numbers, with the status that the shop has acknowledged, and whose they are.
        self._acknowledged: dict[str, tuple[int, dict[str, Any]]] = {}
        self._promised: set[str] = set()
        # Points that were not reached.
        self._missed: list[str] = []
        self._restarted_at = 0.0

    async def all(self) -> list[Figure]:
        """Make the kills while others buy, then wait until nothing is left to do."""
        kills = ROUNDS * len(NAMES)
        made = self._shop.prepare(
            customers=kills + OTHER_CUSTOMERS, products=1, units=100_000, dollars=90_000, tickets=3 * kills
        )
        self._product, self._tickets = made["products"][0], made["tickets"]
        victims, others = iter(made["buyers"][:kills]), cycle(made["buyers"][kills:])
        async with crowd_at(self._shop, timeout=30) as crowd, repeating(self._expected.look):
            async with AsyncExitStack() as stack:
                for _ in range(BYSTANDERS):
                    await stack.enter_async_context(repeating(lambda: self._buy(crowd, next(others))))
                for _ in range(ROUNDS):
                    for point in NAMES:
                        await self._kill(crowd, next(victims), point)
            self._expect(_UNCOUNTED, 0)
            until = time.monotonic() + MAX_SETTLE_SECONDS
            while (pending := await self._expected.look()) and time.monotonic() < until:
                pass
            lost = [each for each in self._acknowledged.items() if not await self._is_kept(crowd, *each)]
            raw = [each for each in crowd.answers if each.is_raw]
            outcomes = crowd.outcomes()
        what = "web server and consumers" if self._whom == MYSELF else "the database server"
        statuses = Counter(status for status, _buyer in self._acknowledged.values())
        load = (
            f"{kills} times at {len(NAMES)} points, {len(self._acknowledged)} orders, {statuses[PAID]} paid"
        )
        return [
            Figure(
                f"{what} killed",
                load,
                f"{kills - len(self._missed)} times, {len(lost)} acknowledged orders or payments lost"
                + "".join(f"; missed {point}" for point in self._missed),
                f"{kills} times, 0 lost",
                not self._missed and not lost,
            ),
            Figure(
                f"{what} killed",
                "what was under way",
                f"settled within {self._expected.slowest:.0f} s, but for {pending or 'nothing'}",
                f"≤ {MAX_SETTLE_SECONDS} s after the last restart, but for nothing",
                not pending and self._expected.slowest <= MAX_SETTLE_SECONDS,
            ),
            Figure(
                f"{what} killed",
                f"{len(crowd.answers)} answers: {dict(outcomes)}",
                f"{len(raw)} with a status of 500 or above that do not report that the shop is unavailable",
                "0",
                not raw,
            ),
        ]

    async def _kill(self, crowd: Crowd, victim: dict[str, Any], point: str) -> None:
        """Break at one point, wait until the shop is ready, and send the customer's request once more."""
        subject = point.split()[1]
        await asyncio.sleep(
            self._restarted_at + CALM_SECONDS - time.monotonic() if self._whom == MYSELF else 0
        )
        begun = await getattr(self, f"_begin_{subject}")(crowd, victim)
        armed = folder_of(self._shop.folder) / point
        unready = armed.with_name("unready")
        unready.write_text(self._whom)
        unready.rename(armed)
        request = asyncio.create_task(self._do(crowd, victim, subject, begun, armed))
        reached = armed.with_name(point + REACHED)
        if not await _comes(reached):
            self._missed.append(point)
        armed.unlink(missing_ok=True)
        await asyncio.to_thread(self._break, reached)
        self._restarted_at = time.monotonic()
        # A killed web worker interrupts nothing that earlier kills have left.
        if self._whom == OTHERS or subject in BY_CONSUMERS:
            self._expected.count_from(self._restarted_at)
        await request
        await getattr(self, f"_finish_{subject}")(crowd, victim, begun)

    async def _do(self, crowd: Crowd, victim: dict[str, Any], subject: str, begun: Any, armed: Path) -> None:
        """Do what reaches the point; once more where the shop, just restarted, refuses it before."""
        while not await getattr(self, f"_do_{subject}")(crowd, victim, begun) and armed.exists():
            await asyncio.sleep(0.5)

    def _break(self, reached: Path) -> None:
        """Kill the database server and start it again; the shop itself starts its processes that ended."""
        engine = self._shop.engine
        if self._whom == OTHERS and isinstance(engine, Postgres):
            engine.kill()
            reached.unlink(missing_ok=True)
            engine.start()
        reached.unlink(missing_ok=True)
        self._shop.wait_for("/readyz")

    async def _buy(self, crowd: Crowd, buyer: dict[str, Any]) -> None:
        """Order and pay once, and note what was acknowledged."""
        answer = await crowd.order(buyer, [(self._product, 1)], await crowd.trade(buyer))
        if order_no := self._note(answer, UNPAID, buyer):
            paid = await crowd.pay(buyer, order_no)
            if paid.outcome == "ok":
                self._acknowledged[order_no] = (PAID, buyer)
        await asyncio.sleep(0.5)

    async def _run(self, function: str, order_no: str) -> None:
        """Call a function of `tools.chaos.shop_work`; retry if another step has just killed the database."""
        for is_last in (False, False, True):
            try:
                await asyncio.to_thread(self._shop.do, function, order_no)
                return
            except ScenarioError:
                if is_last:
                    raise
                await asyncio.sleep(2)

    def _note(self, answer: Answer, status: int, buyer: dict[str, Any]) -> str:
        """Note the order that an answer acknowledges; returns its number."""
        if answer.outcome != "ok":
            return ""
        order_no: str = answer.body["result"]["orderNo"]
        self._acknowledged.setdefault(order_no, (status, buyer))
        return order_no

    async def _is_kept(self, crowd: Crowd, order_no: str, noted: tuple[int, dict[str, Any]]) -> bool:
        status, buyer = noted
        path = f"{API}/order/detailed/{order_no}"
        for _ in range(MAX_ASKED):
            answer = await crowd.call("GET", path, token=buyer["token"])
            if answer.status:
                break
        # A payment may have been made whose answer was lost.
        kept = {UNPAID, PAID} if status == UNPAID else {status}
        return answer.outcome == "ok" and answer.body["result"]["orderStatus"] in kept

    async def _ordered(self, crowd: Crowd, victim: dict[str, Any], code: str = "") -> str:
        """Order until it is acknowledged; returns the order's number."""
        until = time.monotonic() + REACH_SECONDS
        while time.monotonic() < until:
            code = code or await crowd.trade(victim)
            answer = await crowd.order(victim, [(self._product, 1)], code)
            if order_no := self._note(answer, UNPAID, victim):
                return order_no
            await asyncio.sleep(0.5)
        raise ScenarioError("no order can be made any more")

    # Each subject begins with what is needed, does what reaches its point, and shows whether the shop has
    # taken it, and finishes as a customer would.

    async def _begin_order(self, crowd: Crowd, victim: dict[str, Any]) -> str:
        return await _until(lambda: crowd.trade(victim))

    async def _do_order(self, crowd: Crowd, victim: dict[str, Any], code: str) -> bool:
        return bool(self._note(await crowd.order(victim, [(self._product, 1)], code), UNPAID, victim))

    async def _finish_order(self, crowd: Crowd, victim: dict[str, Any], code: str) -> None:
        self._expect(await self._ordered(crowd, victim, code), UNPAID)

    _begin_wallet = _ordered

    async def _do_wallet(self, crowd: Crowd, victim: dict[str, Any], order_no: str) -> bool:
        is_paid = (await crowd.pay(victim, order_no)).outcome in ("ok", "order_paid")
        if is_paid:
            self._acknowledged[order_no] = (PAID, victim)
        return is_paid

    async def _finish_wallet(self, crowd: Crowd, victim: dict[str, Any], order_no: str) -> None:
        await _until(lambda: self._do_wallet(crowd, victim, order_no))
        self._expect(order_no, PAID)

    _begin_start = _ordered

    async def _do_start(self, crowd: Crowd, victim: dict[str, Any], order_no: str) -> bool:
        return (await crowd.pay(victim, order_no, REDIRECTING)).outcome == "ok"

    async def _finish_start(self, crowd: Crowd, victim: dict[str, Any], order_no: str) -> None:
        await self._decide(crowd, *await self._to_gateway(crowd, victim, order_no))
        self._acknowledged[order_no] = (PAID, victim)
        self._expect(order_no, PAID)

    _begin_part = _ordered

    async def _do_part(self, crowd: Crowd, victim: dict[str, Any], order_no: str) -> bool:
        return (await crowd.pay(victim, order_no, REDIRECTING, walletAmount=1)).outcome == "ok"

    async def _finish_part(self, crowd: Crowd, victim: dict[str, Any], order_no: str) -> None:
        await _until(lambda: self._do_part(crowd, victim, order_no))
        await self._finish_start(crowd, victim, order_no)

    async def _begin_refund(self, crowd: Crowd, victim: dict[str, Any]) -> str:
        """Pay an order at the gateway, and wait until the shop knows."""
        order_no = await self._ordered(crowd, victim)
        await self._decide(crowd, *await self._to_gateway(crowd, victim, order_no))
        await _until(lambda: crowd.is_paid(victim, order_no))
        self._acknowledged[order_no] = (PAID, victim)
        return order_no

    async def _do_refund(self, _crowd: Crowd, _victim: dict[str, Any], order_no: str) -> bool:
        await self._run("refund", order_no)
        return True

    async def _finish_refund(self, _crowd: Crowd, _victim: dict[str, Any], order_no: str) -> None:
        self._expect(_refund_of(order_no), "done")

    _begin_refunded, _do_refunded, _finish_refunded = _begin_refund, _do_refund, _finish_refund

    async def _begin_settling(self, crowd: Crowd, victim: dict[str, Any]) -> _Begun:
        order_no = await self._ordered(crowd, victim)
        return (order_no, *await self._to_gateway(crowd, victim, order_no))

    async def _do_settling(self, crowd: Crowd, victim: dict[str, Any], begun: _Begun) -> bool:
        await self._decide(crowd, *begun[1:])
        self._acknowledged[begun[0]] = (PAID, victim)
        return True

    async def _finish_settling(self, _crowd: Crowd, _victim: dict[str, Any], begun: _Begun) -> None:
        self._expect(begun[0], PAID)

    async def _begin_message(self, _crowd: Crowd, _victim: dict[str, Any]) -> str:
        return f"{uuid4().hex}@example.com"

    async def _do_message(self, crowd: Crowd, _victim: dict[str, Any], address: str) -> bool:
        number = len(self._tickets)
        answer = await crowd.call(
            "POST",
            f"{API}/common/sendCode",
            json={"account": address, "purpose": "register", "ticket": self._tickets.pop()},
            headers={"X-Forwarded-For": limits.address(number)},
        )
        if answer.outcome == "ok":
            self._promised.add(address)
        return answer.outcome == "ok"

    async def _finish_message(self, _crowd: Crowd, _victim: dict[str, Any], address: str) -> None:
        if address in self._promised:
            self._expect(address, True)

    _begin_expiry = _ordered

    async def _do_expiry(self, _crowd: Crowd, victim: dict[str, Any], order_no: str) -> bool:
        self._acknowledged[order_no] = (CANCELED, victim)
        await self._run("expire", order_no)
        return True

    async def _finish_expiry(self, _crowd: Crowd, _victim: dict[str, Any], order_no: str) -> None:
        self._expect(order_no, CANCELED)

    def _expect(self, what: str, wanted: object) -> None:
        self._expected.add(what, wanted, self._restarted_at)

    async def _to_gateway(self, crowd: Crowd, victim: dict[str, Any], order_no: str) -> tuple[str, str]:
        """Begin to pay; returns the gateway's page, and the proof that it wants with a decision."""
        page = await _until(lambda: crowd.begin_to_pay(victim, order_no, REDIRECTING))
        return page, await _until(lambda: crowd.proof(page))

    async def _decide(self, crowd: Crowd, page: str, proof: str) -> None:
        """Pay at the gateway."""

        async def decide() -> bool:
            return (await crowd.call("POST", page, data={"proof": proof, "outcome": "paid"})).status == 302

        await _until(decide)


async def _until(work: Callable[[], Awaitable[T]]) -> T:
    """Do work until its result is true or not empty; return it."""
    while not (result := await work()):
        await asyncio.sleep(0.5)
    return result


def _refund_of(order_no: str) -> str:
    return f"refund of {order_no}"


async def _comes(file: Path) -> bool:
    """Wait for a file; returns whether it came."""
    until = time.monotonic() + REACH_SECONDS
    while not file.exists():
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.02)
    return True
