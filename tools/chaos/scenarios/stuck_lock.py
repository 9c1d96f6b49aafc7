"""A lock of 45 seconds on a row that every buyer needs (docs/guarantees/operation.md#waiting)."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg

from tools.chaos.crowd import Crowd, crowd_at, repeating
from tools.chaos.engines import Postgres
from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.shops import Shop

HELD_SECONDS = 45
BUYERS = 9
MAX_PAGE_SECONDS, MAX_BUYER_SECONDS = 0.2, 4.0
KEPT = ("/livez", "/home", "/zh-hans/home", "/shop")
# Each order is another one of the same customer, and all are refused.
SETTINGS = {"MAX_UNPAID_ORDERS": "1000", "MAX_UNPAID_ORDERS_A_DAY": "1000"}


def run(shop: Shop) -> Iterator[Figure]:
    """Let nine buyers order all the time, look at pages in the meantime, and order once more afterwards."""
    shop.start()
    made = shop.prepare(customers=BUYERS, products=1, units=1000)
    yield from asyncio.run(_wait_out(shop, made))


async def _wait_out(shop: Shop, made: dict[str, Any]) -> list[Figure]:
    [product] = made["products"]
    async with crowd_at(shop) as pages, crowd_at(shop) as buyers, crowd_at(shop) as afterwards:
        codes = [await buyers.trade(buyer) for buyer in made["buyers"]]
        buyers.answers.clear()
        await pages.warm_up(KEPT)
        with _locked(shop, product):
            async with repeating(lambda: pages.look(KEPT)):
                await asyncio.gather(
                    *(_insist(buyers, *each, product) for each in zip(made["buyers"], codes, strict=True))
                )
        for buyer, code in zip(made["buyers"], codes, strict=True):
            await afterwards.order(buyer, [(product, 1)], code)
    slowest_page, slowest_buyer = pages.slowest(1), buyers.slowest(1)
    return [
        Figure(
            f"a row locked for {HELD_SECONDS} s",
            f"{BUYERS} buyers of it, {len(pages.answers)} looks at {', '.join(KEPT)}",
            f"slowest look {slowest_page * 1000:.0f} ms, {pages.faults()} faults",
            f"≤ {MAX_PAGE_SECONDS * 1000:.0f} ms, 0 faults",
            slowest_page <= MAX_PAGE_SECONDS and not pages.faults(),
        ),
        Figure(
            f"a row locked for {HELD_SECONDS} s",
            f"{len(buyers.answers)} orders of {BUYERS} buyers",
            f"slowest answer {slowest_buyer:.1f} s, {buyers.faults()} faults, {dict(buyers.outcomes())}",
            f"≤ {MAX_BUYER_SECONDS:.0f} s, 0 faults, all asked to come again",
            slowest_buyer <= MAX_BUYER_SECONDS and set(buyers.outcomes()) == {"shop_busy"},
        ),
        Figure(
            "the lock is gone",
            f"the same {BUYERS} orders",
            f"{afterwards.outcomes()['ok']} made",
            f"{BUYERS} made",
            afterwards.outcomes()["ok"] == BUYERS,
        ),
    ]


async def _insist(crowd: Crowd, buyer: dict[str, Any], code: str, product: int) -> None:
    """Order again and again until shortly before the lock is gone."""
    until = time.monotonic() + HELD_SECONDS - MAX_BUYER_SECONDS - 1
    while time.monotonic() < until:
        await crowd.order(buyer, [(product, 1)], code)


@contextmanager
def _locked(shop: Shop, product: int) -> Iterator[None]:
    """Lock the stock level of a product, on SQLite the whole file, for HELD_SECONDS."""
    is_held = threading.Event()
    hold = _hold_row if isinstance(shop.engine, Postgres) else _hold_file
    holder = threading.Thread(target=hold, args=(shop, product, is_held))
    holder.start()
    if not is_held.wait(30):
        raise ScenarioError("the lock cannot be had")
    try:
        yield
    finally:
        holder.join()


def _hold_row(shop: Shop, product: int, is_held: threading.Event) -> None:
    with psycopg.connect(shop.engine.url(shop.folder)) as connection:
        connection.execute("SELECT 1 FROM stock_stocklevel WHERE product_id = %s FOR UPDATE", [product])
        is_held.set()
        time.sleep(HELD_SECONDS)


def _hold_file(shop: Shop, _product: int, is_held: threading.Event) -> None:
    with closing(
        sqlite3.connect(shop.folder / "shop.sqlite3", isolation_level=None, timeout=10)
    ) as connection:
        connection.execute("BEGIN IMMEDIATE")
        is_held.set()
        time.sleep(HELD_SECONDS)
