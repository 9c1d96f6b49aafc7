"""A shop that is restored from its backup on another place (docs/production.md#backups)."""

import asyncio
import os
import shutil
import time
from collections.abc import Iterator
from typing import Any

from tools.chaos.crowd import API, buy_unit, crowd_at
from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.shops import Shop

ORDERS = 50_000
MAX_SECONDS = 300
PICTURES, PICTURE_BYTES = 1000, 100_000
COUNTED_SECONDS = 60
# What of the data folder is no database.
FOLDERS = ("media", "certificates", "invoices")
MARK = "data-mark"
COUNT = "SELECT count(*) FROM orders_order"
COUNTED = "SELECT count(*) FROM orders_order WHERE sales_counted_at IS NOT NULL"


def run(shop: Shop) -> Iterator[Figure]:
    """Back up a running shop of 50,000 orders, and start another one of the backup."""
    shop.start()
    buyer, order_no = buy_unit(shop)
    _wait_until_counted(shop)
    shop.stop()
    shop.copy_order(order_no, ORDERS)
    for folder in FOLDERS:
        (shop.folder / folder).mkdir(exist_ok=True)
        for number in range(PICTURES):
            (shop.folder / folder / f"scenario-{number}.jpg").write_bytes(os.urandom(PICTURE_BYTES))
    shop.start()
    yield from _restore(shop, buyer, order_no)


def _wait_until_counted(shop: Shop) -> None:
    """Wait for the order's sales to be counted, since a copy's are not."""
    until = time.monotonic() + COUNTED_SECONDS
    while not shop.engine.rows(shop.folder, COUNTED)[0][0]:
        if time.monotonic() > until:
            raise ScenarioError("the sales of the order are not counted")
        time.sleep(0.2)


def _restore(shop: Shop, buyer: dict[str, Any], order_no: str) -> Iterator[Figure]:
    backup, folder = (shop.folder.with_name(f"{shop.folder.name}-{part}") for part in ("backup", "restored"))
    restored = Shop(shop.engine, folder)
    backup.mkdir()
    folder.mkdir()
    try:
        started = time.monotonic()
        shop.engine.back_up(shop.folder, backup / "database")
        for name in FOLDERS:
            shutil.copytree(shop.folder / name, backup / name)
        shutil.copy(shop.folder / MARK, backup)
        backed_up = time.monotonic()
        shop.engine.restore(folder, backup / "database")
        for name in FOLDERS:
            shutil.copytree(backup / name, folder / name)
        shutil.copy(backup / MARK, folder)
        was_restored = time.monotonic()
        restored.start()
        ready = time.monotonic()
        answer = asyncio.run(_look(restored, buyer, order_no))
        orders = [each.engine.rows(each.folder, COUNT)[0][0] for each in (shop, restored)]
        files = [len(list(each.folder.glob("*/scenario-*"))) for each in (shop, restored)]
        found = restored.differences()
        yield Figure(
            "a shop restored from its backup",
            f"{orders[0]} orders, {files[0]} pictures",
            f"backed up in {backed_up - started:.0f} s, restored in {was_restored - backed_up:.0f} s, "
            f"ready after another {ready - was_restored:.0f} s",
            f"≤ {MAX_SECONDS} s in all",
            ready - started <= MAX_SECONDS,
        )
        yield Figure(
            "a shop restored from its backup",
            "its rows, files and books",
            f"{orders[1]} orders, {files[1]} pictures, {len(found)} differences, a customer reads: {answer}",
            "the same, 0 differences, ok",
            orders[0] == orders[1]
            and orders[0] > ORDERS
            and files[0] == files[1]
            and not found
            and answer == "ok",
        )
    finally:
        restored.stop()


async def _look(shop: Shop, buyer: dict[str, Any], order_no: str) -> str:
    """Ask a shop for an order; returns what became of that."""
    async with crowd_at(shop) as crowd:
        path = f"{API}/order/detailed/{order_no}"
        return (await crowd.call("GET", path, token=buyer["token"])).outcome
