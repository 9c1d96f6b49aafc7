"""A disk without space (docs/guarantees/operation.md#full-disks)."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import partial
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any

from PIL import Image

from tools.chaos.crowd import API, Crowd, crowd_at, repeating, wait_until
from tools.chaos.engines import Postgres
from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.shops import Shop

MEBIBYTES = 128
# A customer may begin sixty orders in two hours, and send twenty pictures a day.
BUYERS, CUSTOMERS, SENDERS = 4, 80, 10
MIN_FULL_SECONDS, MAX_FULL_SECONDS, AFTERWARDS_SECONDS = 20, 60, 15
SETTINGS = {"MAX_UNPAID_ORDERS": "100000", "MAX_UNPAID_ORDERS_A_DAY": "100000"}
READ = ("/home", "/zh-hans/shop", f"{API}/exchangeRate", f"{API}/home/classify")
_FILLER = "filler"


def run(shop: Shop) -> Iterator[Figure]:
    """Fill the disk of the database while four buy, one sends pictures and one reads; then empty it."""
    on_small_disk = _server_on_small_disk if isinstance(shop.engine, Postgres) else _folder_on_small_disk
    with on_small_disk(shop) as disk:
        try:
            shop.start()
            made = shop.prepare(customers=CUSTOMERS + SENDERS, products=1, units=100_000, dollars=90_000)
            yield from asyncio.run(_fill_and_empty(shop, disk, made))
        finally:
            shop.stop()


async def _fill_and_empty(shop: Shop, disk: Path, made: dict[str, Any]) -> list[Figure]:
    [product] = made["products"]
    buyers, senders = cycle(made["buyers"][:CUSTOMERS]), cycle(made["buyers"][CUSTOMERS:])
    picture = BytesIO()
    Image.effect_noise((600, 400), 20).convert("RGB").save(picture, "JPEG")

    async def buy() -> None:
        await buying.buy(next(buyers), product)
        await asyncio.sleep(0.2)

    async def is_refused() -> bool:
        return _refused(buying)

    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        buying, sending, reading = [await enter(crowd_at(shop)) for _ in range(3)]
        crowds = {"orders and payments": buying, "pictures": sending}
        for _ in range(BUYERS):
            await enter(repeating(buy))
        await enter(repeating(partial(_send, sending, senders, picture.getvalue())))
        await enter(repeating(partial(_read, reading, made["buyers"][0])))
        await asyncio.sleep(3)
        for crowd in (buying, sending, reading):
            crowd.answers.clear()
        await asyncio.to_thread(_fill, disk)
        await asyncio.sleep(MIN_FULL_SECONDS)
        await wait_until(is_refused, MAX_FULL_SECONDS - MIN_FULL_SECONDS)
        # On PostgreSQL's disk there are no pictures, and their few rows may still find room.
        figures = [_of_writes(what, crowd, must_fail=crowd is buying) for what, crowd in crowds.items()]
        statuses = Counter(answer.status for answer in reading.answers)
        figures.append(
            Figure(
                "no space on the disk",
                f"{statuses.total()} looks at {', '.join(READ)} and one's own orders",
                f"{dict(statuses)}, slowest {reading.slowest(1):.1f} s",
                "all 200",
                set(statuses) == {200},
            )
        )
        (disk / _FILLER).unlink()
        # What was begun on the full disk may still be refused.
        await asyncio.sleep(AFTERWARDS_SECONDS / 2)
        for crowd in crowds.values():
            crowd.answers.clear()
        await asyncio.sleep(AFTERWARDS_SECONDS)
        for what, crowd in crowds.items():
            outcomes = crowd.outcomes()
            figures.append(
                Figure(
                    "there is space again, nothing was repaired",
                    f"{outcomes.total()} {what}",
                    str(dict(outcomes)),
                    "ok, or busy",
                    bool(outcomes["ok"]) and set(outcomes) <= {"ok", "shop_busy"},
                )
            )
    return figures


def _of_writes(what: str, crowd: Crowd, *, must_fail: bool) -> Figure:
    outcomes = crowd.outcomes()
    bare = [each for each in crowd.answers if each.is_raw or not each.status]
    return Figure(
        "no space on the disk",
        f"{outcomes.total()} {what}",
        f"{len(bare)} bare or lost; {dict(outcomes)}",
        f"{'some' if must_fail else 'any'} shop_unavailable, 0 with a bare status of 500 or above, 0 lost",
        not bare and (_refused(crowd) or not must_fail),
    )


def _refused(crowd: Crowd) -> bool:
    return bool(crowd.outcomes()["shop_unavailable"])


async def _send(crowd: Crowd, senders: Iterator[dict[str, Any]], picture: bytes) -> None:
    files = {"file": ("receipt.jpg", picture, "image/jpeg")}
    await crowd.call("POST", "/api/v1/upload/oss/image", token=next(senders)["token"], files=files)
    await asyncio.sleep(1)


async def _read(crowd: Crowd, buyer: dict[str, Any]) -> None:
    await crowd.look(READ, pause=0.2)
    await crowd.call("POST", f"{API}/orderInfo", token=buyer["token"], json={})


def _fill(disk: Path) -> None:
    with suppress(OSError), (disk / _FILLER).open("wb", buffering=0) as filler:
        while filler.write(bytes(1 << 12)):
            pass


@contextmanager
def _folder_on_small_disk(shop: Shop) -> Iterator[Path]:
    """Let the data folder of a shop be a small disk."""
    with tempfile.TemporaryDirectory() as aside:
        shutil.copytree(shop.folder, aside, dirs_exist_ok=True)
        with _small_disk(shop.folder):
            shutil.copytree(aside, shop.folder, dirs_exist_ok=True)
            yield shop.folder
            (shop.folder / _FILLER).unlink(missing_ok=True)
            shutil.rmtree(aside)
            shutil.copytree(shop.folder, aside)
        shutil.copytree(aside, shop.folder, dirs_exist_ok=True)


@contextmanager
def _server_on_small_disk(shop: Shop) -> Iterator[Path]:
    """Let the database of a shop be on a small disk, its log of changes elsewhere."""
    server, name = shop.engine, shop.engine.url(shop.folder).rpartition("/")[2]
    assert isinstance(server, Postgres)
    disk = server.folder / "small"
    disk.mkdir()
    with _small_disk(disk):
        place = disk / "files"
        place.mkdir()
        shutil.copystat(server.folder, place)
        os.chown(place, server.folder.stat().st_uid, -1)
        server.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
        server.execute(f'ALTER DATABASE "{name}" SET TABLESPACE small')
        try:
            yield disk
        finally:
            (disk / _FILLER).unlink(missing_ok=True)
            server.execute(f'ALTER DATABASE "{name}" SET TABLESPACE pg_default')
            server.execute("DROP TABLESPACE small")


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    """Mount a file system of MEBIBYTES at a folder. Raises ScenarioError where that is not allowed."""
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if not mount or not unmount:
        raise ScenarioError("a small disk cannot be mounted here: there is no mount")
    command = [mount, "-t", "tmpfs", "-o", f"size={MEBIBYTES}m,mode=755", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True)
    if mounted.returncode:
        raise ScenarioError(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run([unmount, "--lazy", str(folder)], check=True)
