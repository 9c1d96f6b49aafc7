"""Clients that open thousands of connections and send little (docs/guarantees/operation.md#web-server)."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress

from tools.chaos.crowd import API, crowd_at
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop
from tools.launch import HOST

CONNECTIONS, SECONDS = 2_000, 20
MAX_SECONDS = 2.0
BROWSED = ("/livez", "/home", "/zh-hans/home", "/shop")
# What each connection sends first, and then once a second.
KINDS = {
    "slow headers": (f"GET /home HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ", "a"),
    "slow bodies": (f"POST {API}/login HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 9999\r\n\r\n", "{"),
    "idle connections": (f"GET /livez HTTP/1.1\r\nHost: {HOST}\r\n\r\n", ""),
}


def run(shop: Shop) -> Iterator[Figure]:
    """Browse while 2,000 connections of one kind are open, each opened again when the shop closes it."""
    shop.start()
    for kind, sent in KINDS.items():
        yield asyncio.run(_browse(shop, kind, *sent))


async def _browse(shop: Shop, kind: str, first: str, more: str) -> Figure:
    async with crowd_at(shop) as crowd:
        await crowd.warm_up(BROWSED * 4)
        async with _holding(shop.port, first.encode(), more.encode()) as opened:
            until = time.monotonic() + SECONDS
            while time.monotonic() < until:
                await crowd.look(BROWSED)
            number = len(opened)
    slowest = crowd.slowest(1)
    return Figure(
        f"{CONNECTIONS} {kind}",
        f"{len(crowd.answers)} looks at {', '.join(BROWSED)} in {SECONDS} s",
        f"{number} open at the end, slowest answer {slowest:.2f} s, {crowd.faults()} faults",
        f"≤ {MAX_SECONDS:.0f} s, 0 faults",
        slowest <= MAX_SECONDS and not crowd.faults(),
    )


@asynccontextmanager
async def _holding(port: int, first: bytes, more: bytes) -> AsyncIterator[set[int]]:
    """Hold the connections open while the block runs; gives the numbers of those that are open."""
    opened: set[int] = set()
    tasks = [asyncio.create_task(_hold(port, first, more, opened, each)) for each in range(CONNECTIONS)]
    while len(opened) < CONNECTIONS / 2:
        await asyncio.sleep(0.1)
    try:
        yield opened
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _hold(port: int, first: bytes, more: bytes, opened: set[int], number: int) -> None:
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(HOST, port)
            opened.add(number)
            try:
                writer.write(first)
                while not reader.at_eof():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(1):
                            await reader.read(1_000)
                    writer.write(more)
            finally:
                opened.discard(number)
                writer.close()
        await asyncio.sleep(0.1)
