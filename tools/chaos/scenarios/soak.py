"""Mixed traffic for an hour: nothing grows that should not (docs/data-growth.md)."""

import asyncio
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg

from tools.chaos.crowd import API, Answer, Crowd, crowd_at
from tools.chaos.engines import Postgres
from tools.chaos.figures import Figure, share
from tools.chaos.shops import Shop
from tools.processors import tree

SECONDS = int(os.environ.get("SOAK_SECONDS", "3600"))
REQUESTS_A_SECOND, VISITORS = 20, 40
CUSTOMERS, PRODUCTS = 500, 40
WARM_UP_SHARE, WINDOW_SHARE = 0.1, 0.2
SAMPLES = 60
MAX_RSS_GROWTH, MAX_P95_GROWTH = 0.10, 0.20
# SQLite's log is written back every 4 MB, PostgreSQL's by its own `max_wal_size` of a gigabyte.
MAX_WAL = {"SQLite": 64 << 20, "PostgreSQL": 1200 << 20}
# Customers order far more often here than in a real shop.
SETTINGS = {
    "MAX_UNPAID_ORDERS": "1000",
    "MAX_UNPAID_ORDERS_A_DAY": "10000",
    # The copy of the demonstration has no files.
    "PICTURE_SECONDS": "0",
}
# How many rows an order adds to a table at most; codes are asked for as often as orders are tried.
ROWS_OF_AN_ORDER = {
    "orders.Order": 1,
    "orders.OrderLine": 2,
    "orders.OrderStatusChange": 2,
    "stock.Reservation": 2,
    "payments.Payment": 1,
    "payments.PaymentEvent": 1,
    "sandbox.SandboxCharge": 1,
    "ledger.LedgerEntry": 1,
}
# What is bounded however long it lasts: tables, and how many rows they get here at most.
BOUNDED = {
    "cart.CartItem": CUSTOMERS * PRODUCTS,
    "rate_limits.RateLimitCounter": 3 * CUSTOMERS,
    "goods.SoldDay": 3 * PRODUCTS,
    "search.FailedSearch": 5000,
    "search.Posting": 20 * PRODUCTS,
    "core.Lease": 40,
    "wagtailimages.Rendition": 100_000,
}
WORDS = ("rice", "tea", "noodles", "酱油", "米", "soy", "cha", "zzz", "sauce", "chocolate", "mi fan")
PAGES = ("/home", "/zh-hans/home", "/shop", "/zh-hans/shop", "/promotions", "/home/bulk", "/brand")


class Pace(Crowd):
    """Sends so many requests a second; of the answers only time, seconds and outcome are kept."""

    def __init__(self, shop: Shop, client: httpx.AsyncClient) -> None:
        super().__init__(shop, client)
        self.started = self._turn = time.monotonic()
        self.times: list[tuple[float, float]] = []
        self.made: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()

    async def call(self, method: str, path: str, **content: Any) -> Answer:
        """Send one request when it is its turn."""
        await self._wait_for_turn()
        answer = await super().call(method, path, **content)
        self.answers.clear()
        self.times.append((time.monotonic() - self.started, answer.seconds))
        if answer.status >= 500 or answer.outcome not in ("ok", "200", "302"):
            self.troubles[f"{path.split('?')[0]} {answer.outcome}"[:80]] += 1
        return answer

    async def _wait_for_turn(self) -> None:
        # What could not be sent is made up for within a second, or never.
        self._turn = max(self._turn + 1 / REQUESTS_A_SECOND, time.monotonic() - 1)
        await asyncio.sleep(self._turn - time.monotonic())


@dataclass(frozen=True)
class Sample:
    """What the shop's processes had at one moment."""

    at: float
    rss: dict[str, int]
    threads: int
    files: int
    connections: int
    wal: int


def run(shop: Shop) -> Iterator[Figure]:
    """Let visitors come and go, and look at the processes all the time."""
    shop.start()
    made = shop.prepare(customers=CUSTOMERS, products=PRODUCTS, units=1_000_000, dollars=1_000_000)
    before = shop.do("count_rows")
    pace, samples = asyncio.run(_visit(shop, made))
    after = shop.do("count_rows")
    yield from _figures(shop, pace, samples)
    yield _growth(before, after, pace.made)


async def _visit(shop: Shop, made: dict[str, Any]) -> tuple[Pace, list[Sample]]:
    samples: list[Sample] = []
    async with crowd_at(shop, connections=VISITORS) as crowd:
        pace = Pace(shop, crowd.client)
        until = pace.started + SECONDS
        visitors = [
            asyncio.create_task(_come_again(pace, made, random.Random(number), until))  # noqa: S311
            for number in range(VISITORS)
        ]
        while time.monotonic() < until:
            await asyncio.sleep(min(SECONDS / SAMPLES, max(0.0, until - time.monotonic())))
            samples.append(await asyncio.to_thread(_sample, shop, time.monotonic() - pace.started))
        await asyncio.gather(*visitors)
    return pace, samples


async def _come_again(pace: Pace, made: dict[str, Any], choose: random.Random, until: float) -> None:
    while time.monotonic() < until:
        for _ in range(choose.randint(2, 8)):
            await _browse(pace, made["products"], choose)
        if choose.random() < 0.4:
            await _buy(pace, choose.choice(made["buyers"]), choose.choice(made["products"]), choose)


async def _browse(pace: Pace, products: Sequence[int], choose: random.Random) -> None:
    page, word = choose.randint(1, 5), choose.choice(WORDS)
    path = choose.choice(
        [
            choose.choice(PAGES),
            f"/shop/shopdetails/{choose.choice(products)}",
            f"/shop?word={word}",
            f"/shop?page={page}",
            f"{API}/goods/{choose.choice(products)}",
            "",
        ]
    )
    if path:
        await pace.call("GET", path)
    else:
        await pace.call("POST", f"{API}/goods/list", json={"word": word, "page": page})


async def _buy(pace: Pace, buyer: dict[str, Any], product: int, choose: random.Random) -> None:
    cart = {"goodsId": product, "goodsAmount": choose.randint(1, 3)}
    await pace.call("PUT", f"{API}/shoppingCart", token=buyer["token"], json=cart)
    pace.made["codes"] += 1
    ordered = await pace.order(buyer, [(product, 1)], await pace.trade(buyer))
    if ordered.outcome != "ok":
        return
    pace.made["orders"] += 1
    number, kind = ordered.body["result"]["orderNo"], choose.choice(["wallet", "wallet", "sandbox", "cancel"])
    pace.made[kind] += 1
    if kind == "cancel":
        await pace.cancel(buyer, number)
    elif kind == "wallet":
        await pace.pay(buyer, number)
    else:
        if page := await pace.begin_to_pay(buyer, number, "5"):
            await pace.pay_at_gateway(page)


# ── Looking ───────────────────────────────────────────────────────────────────────────────────────────


def _sample(shop: Shop, at: float) -> Sample:
    rss: dict[str, int] = {}
    threads = files = 0
    # Some of its processes begin others without its environment.
    for pid in {each for own in shop.processes() for each in tree(own)}:
        with suppress(OSError):
            status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            rss[f"{status['Name'].strip()} {pid}"] = int(status["VmRSS"].split()[0]) << 10
            threads += int(status["Threads"])
            files += len(os.listdir(f"/proc/{pid}/fd"))
    return Sample(at, rss, threads, files, *_of_database(shop))


def _of_database(shop: Shop) -> tuple[int, int]:
    """Return how many connections the shop has and how many bytes the log of the database."""
    if not isinstance(shop.engine, Postgres):
        logs = shop.folder.glob("*.sqlite3-wal")
        return 0, sum(log.stat().st_size for log in logs)
    with closing(psycopg.connect(shop.engine.url(shop.folder))) as connection:
        counts = connection.execute(
            "SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) - 1, "
            "(SELECT sum(size) FROM pg_ls_waldir())"
        ).fetchone()
    assert counts
    return int(counts[0]), int(counts[1])


# ── Judging ───────────────────────────────────────────────────────────────────────────────────────────


def _figures(shop: Shop, pace: Pace, samples: Sequence[Sample]) -> Iterator[Figure]:
    minutes = f"{SECONDS / 60:.0f} min"
    rate = len(pace.times) / SECONDS
    made = ", ".join(f"{count} {name}" for name, count in pace.made.items())
    errors = shop.log_lines('"level": "error"')
    yield Figure(
        "mixed traffic without end",
        f"{minutes}, {rate:.1f} requests a second: {made}",
        f"{pace.troubles.total()} troubles {dict(pace.troubles.most_common(3)) or ''}, {errors} logged",
        f"≥ {0.9 * REQUESTS_A_SECOND:.0f} requests a second, 0 troubles, 0 errors logged",
        not pace.troubles and not errors and rate >= 0.9 * REQUESTS_A_SECOND,
    )
    windows = [(at * SECONDS, (at + WINDOW_SHARE) * SECONDS) for at in (WARM_UP_SHARE, 1 - WINDOW_SHARE)]
    first, last = ([seconds for at, seconds in pace.times if since <= at < until] for since, until in windows)
    drift = share(last, 0.95) / share(first, 0.95) - 1
    yield Figure(
        "answers that become slower",
        f"{minutes}, the first fifth after {WARM_UP_SHARE:.0%} against the last",
        f"p95 {share(first, 0.95) * 1000:.0f} ms, then {share(last, 0.95) * 1000:.0f} ms: {drift:+.0%}",
        f"≤ +{MAX_P95_GROWTH:.0%}",
        drift <= MAX_P95_GROWTH,
    )
    begin, end = (
        [sample for sample in samples if since <= sample.at <= until + 1] for since, until in windows
    )
    yield _memory(begin, end, minutes)
    yield from _levels(shop, begin, end, samples, minutes)


def _memory(begin: Sequence[Sample], end: Sequence[Sample], minutes: str) -> Figure:
    common = sorted(begin[-1].rss.keys() & end[-1].rss.keys())
    growth = {name: _median(name, end) / _median(name, begin) - 1 for name in common}
    worst = max(common, key=lambda name: growth[name])
    total = sum(_median(name, end) for name in common)
    return Figure(
        "memory of each process",
        f"{minutes}, {len(common)} processes with {total >> 20} MiB",
        f"worst {growth[worst]:+.1%}, {worst}: "
        f"{_median(worst, begin) >> 20} MiB, then {_median(worst, end) >> 20} MiB; "
        f"{len(begin[-1].rss.keys() ^ end[-1].rss.keys())} processes came or went",
        f"≤ +{MAX_RSS_GROWTH:.0%}, the same processes",
        growth[worst] <= MAX_RSS_GROWTH and begin[-1].rss.keys() == end[-1].rss.keys(),
    )


def _median(name: str, samples: Sequence[Sample]) -> int:
    return int(statistics.median(sample.rss[name] for sample in samples if name in sample.rss))


def _levels(
    shop: Shop, begin: Sequence[Sample], end: Sequence[Sample], samples: Sequence[Sample], minutes: str
) -> Iterator[Figure]:
    """Compare the most connections, threads and open files in both windows, and the log with its limit."""
    names = ("connections", "threads", "files")
    before, after = (
        {name: max(getattr(s, name) for s in window) for name in names} for window in (begin, end)
    )
    yield Figure(
        "connections, threads and open files",
        minutes,
        ", ".join(f"{name} {before[name]}, then {after[name]}" for name in names),
        "no more than 10% or three more",
        all(after[name] <= max(1.1 * before[name], before[name] + 3) for name in names),
    )
    largest, limit = max(sample.wal for sample in samples), MAX_WAL[shop.engine.name]
    yield Figure(
        "the database's log",
        minutes,
        f"{largest >> 20} MiB at most, {samples[-1].wal >> 20} MiB at the end",
        f"≤ {limit >> 20} MiB",
        largest <= limit,
    )


def _growth(before: dict[str, int], after: dict[str, int], made: Counter[str]) -> Figure:
    """Compare what each table has got with what so many orders explain."""
    grown = {name: after[name] - before[name] for name in after if after[name] > before[name]}
    orders = made["orders"]
    allowed = {name: orders * rows for name, rows in ROWS_OF_AN_ORDER.items()} | BOUNDED
    allowed["orders.Trade"] = made["codes"]
    wrong = {name: rows for name, rows in grown.items() if rows > allowed.get(name, 0)}
    return Figure(
        "tables that grow without bounds",
        f"{orders} orders, {len(grown)} tables grew",
        f"more than explained: {wrong or 'none'}",
        "what docs/data-growth.md explains by orders and customers; no task waits",
        not wrong,
    )
