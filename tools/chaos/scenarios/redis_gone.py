"""Redis is killed, and later hangs, where it stores the queues (docs/guarantees/operation.md#tasks)."""

import asyncio
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tools.chaos.crowd import Crowd, crowd_at, repeating, run_concurrently
from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.shops import Shop
from tools.launch import HOST, free_port

BUYERS, GONE_SECONDS = 40, 20
MAX_P95_SECONDS, MAX_BUYER_SECONDS = 0.5, 4.0
# The scheduler puts a beat into each queue once a minute.
MAX_READY_SECONDS = 75
_words = count()
BROWSED = ("/home", "/shop", "/zh-hans/shop", "/api/v1/pc/exchangeRate")


class Redis:
    """A server of its own, without a file."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        if not program:
            raise ScenarioError("Redis's server is not installed")
        port = free_port()
        self.url = f"redis://{HOST}:{port}"
        self._command = [program, "--port", str(port), "--bind", HOST, "--save", "", "--dir", str(folder)]
        self.start()

    def start(self) -> None:
        """Start it; it knows nothing of what was in it before."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal; SIGKILL ends it, SIGSTOP lets it hang."""
        self._process.send_signal(number)
        if number == signal.SIGKILL:
            self._process.wait()


@contextmanager
def _redis(folder: Path) -> Iterator[Redis]:
    redis = Redis(folder)
    try:
        yield redis
    finally:
        redis.send(signal.SIGKILL)


def run(shop: Shop) -> Iterator[Figure]:
    """Browse, order and pay while Redis is gone, then while it hangs, and wait until all works again."""
    with _redis(shop.folder) as redis:
        shop.choose(REDIS_URL=redis.url)
        shop.start()
        made = shop.prepare(customers=2 * BUYERS, codes=1, products=1, units=1000, dollars=500)
        buyers = made["buyers"]
        asyncio.run(_warm_up(shop))
        redis.send(signal.SIGKILL)
        yield from asyncio.run(_go_on(shop, "Redis is gone", buyers[:BUYERS], made))
        redis.start()
        yield _again(shop, "Redis is back, empty")
        redis.send(signal.SIGSTOP)
        yield from asyncio.run(_go_on(shop, "Redis hangs", buyers[BUYERS:], made))
        redis.send(signal.SIGCONT)
        yield _again(shop, "Redis answers again")


async def _warm_up(shop: Shop) -> None:
    """Read once in each process what the pages are made of."""
    async with crowd_at(shop) as crowd:
        await run_concurrently(lambda path: crowd.call("GET", path), BROWSED * 4)


async def _go_on(shop: Shop, fault: str, buyers: list[dict[str, Any]], made: dict[str, Any]) -> list[Figure]:
    [product] = made["products"]
    until = time.monotonic() + GONE_SECONDS

    async def buy(buyer: dict[str, Any]) -> str:
        _order_no, outcome = await crowd.buy(buyer, product, buyer["codes"].pop())
        return outcome

    async with (
        crowd_at(shop) as crowd,
        crowd_at(shop) as pages,
        crowd_at(shop) as searches,
        repeating(lambda: pages.look(BROWSED)),
        repeating(lambda: _search(searches)),
    ):
        paid = Counter(await run_concurrently(buy, buyers, width=4))
        await asyncio.sleep(max(0.0, until - time.monotonic()))
    p95, slowest = pages.slowest(0.95), crowd.slowest(1)
    return [
        Figure(
            fault,
            f"{len(pages.answers)} looks at {', '.join(BROWSED)}",
            f"browsing p95 {p95 * 1000:.0f} ms, {pages.faults()} faults",
            f"p95 ≤ {MAX_P95_SECONDS * 1000:.0f} ms, 0 faults",
            p95 <= MAX_P95_SECONDS and not pages.faults(),
        ),
        Figure(
            fault,
            f"{len(searches.answers)} searches for what there is not",
            f"slowest answer {searches.slowest(1):.1f} s, {searches.faults()} faults",
            f"≤ {MAX_BUYER_SECONDS:.0f} s, 0 faults",
            searches.slowest(1) <= MAX_BUYER_SECONDS and not searches.faults(),
        ),
        Figure(
            fault,
            f"{len(buyers)} buyers order and pay, four at a time",
            f"{dict(paid)}, slowest answer {slowest:.1f} s, {crowd.faults()} faults",
            f"{len(buyers)} ok, ≤ {MAX_BUYER_SECONDS:.0f} s, 0 faults",
            paid == Counter(ok=len(buyers)) and slowest <= MAX_BUYER_SECONDS and not crowd.faults(),
        ),
    ]


def _again(shop: Shop, when: str) -> Figure:
    seconds = shop.wait_for("/readyz")
    return Figure(
        when,
        "the four queues",
        f"ready after {seconds:.0f} s",
        f"≤ {MAX_READY_SECONDS} s",
        seconds <= MAX_READY_SECONDS,
    )


async def _search(crowd: Crowd) -> None:
    # What is not found is counted by a task, each word once a minute.
    await crowd.look([f"/shop?word=unheard{next(_words)}"], pause=0.5)
