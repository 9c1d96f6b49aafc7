"""Clients that send slowly, or too much (docs/production.md#limits-of-a-request)."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator

from tools.chaos.crowd import Crowd, crowd_at
from tools.chaos.engines import HOST
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

SENDERS, SECONDS = 200, 30
MAX_P95_SECONDS = 0.5
LARGE = 400 * 1024 * 1024
NOTICES = "/pay/notice/sandbox"
# Every page is rendered again after this time, so all that browsing needs is asked for.
BROWSED = ("/home", "/shop", "/zh-hans/shop", "/api/v1/pc/exchangeRate")


def run(shop: Shop) -> Iterator[Figure]:
    """Let 200 clients send a byte a second while others browse; then send 400 MB to a form."""
    shop.start()
    yield asyncio.run(_browse_during_uploads(shop))
    yield asyncio.run(_send_too_much(shop))


async def _browse_during_uploads(shop: Shop) -> Figure:
    async with crowd_at(shop) as crowd:
        for path in BROWSED:
            await crowd.call("GET", path)
        crowd.answers.clear()
        senders = asyncio.gather(*(_send_slowly(shop.port) for _ in range(SENDERS)))
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            await _browse(crowd)
        statuses = Counter(await senders)
    p95 = crowd.slowest(0.95)
    return Figure(
        "bodies that are sent slowly",
        f"{SENDERS} senders of a byte a second, {len(crowd.answers)} looks at pages",
        f"browsing p95 {p95 * 1000:.0f} ms, {crowd.faults()} faults, senders answered {dict(statuses)}",
        f"p95 ≤ {MAX_P95_SECONDS * 1000:.0f} ms, 0 faults, every sender 408",
        p95 <= MAX_P95_SECONDS and not crowd.faults() and statuses == {408: SENDERS},
    )


async def _browse(crowd: Crowd) -> None:
    for path in BROWSED:
        await crowd.call("GET", path)
    await asyncio.sleep(0.05)


async def _send_slowly(port: int) -> int:
    """Send a byte a second of a body that never ends; returns the status of the answer."""
    reader, writer = await asyncio.open_connection(HOST, port)
    head = f"POST {NOTICES} HTTP/1.1\r\nHost: {HOST}:{port}\r\nContent-Length: 100000\r\n\r\n"
    writer.write(head.encode())
    answer = asyncio.create_task(reader.readline())
    try:
        while not answer.done():
            writer.write(b"x")
            await writer.drain()
            await asyncio.wait([answer], timeout=1)
        return int((await answer).split()[1])
    except (OSError, IndexError):
        return 0
    finally:
        writer.close()


async def _send_too_much(shop: Shop) -> Figure:
    sent = 0

    async def body() -> object:
        nonlocal sent
        while sent < LARGE:
            sent += 1 << 20
            yield bytes(1 << 20)

    async with crowd_at(shop) as crowd:
        by_length = await crowd.call("POST", NOTICES, content=body(), headers={"Content-Length": str(LARGE)})
        sent_by_length, sent = sent, 0
        chunked = await crowd.call("POST", NOTICES, content=body())
    megabytes = max(sent_by_length, sent) >> 20
    statuses = {by_length.status, chunked.status}
    return Figure(
        "bodies that are too large",
        f"{LARGE >> 20} MiB to a form, with its length and in chunks",
        f"answered {sorted(statuses)}, after {megabytes} MiB",
        "413 or a closed connection, most of it never read",
        statuses <= {413, 0} and megabytes < 100,
    )
