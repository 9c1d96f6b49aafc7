"""Many concurrent pictures (docs/guarantees/customers.md#uploaded-pictures)."""

import asyncio
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import Image

from tools.chaos.crowd import Crowd, crowd_at, repeating
from tools.chaos.figures import Figure
from tools.chaos.shops import Shop

UPLOADS = 20
# 24 megapixels, near the largest that is taken.
SIDES = (6000, 4000)
MAX_LIVE_SECONDS = 1.0


def run(shop: Shop) -> Iterator[Figure]:
    """Let one customer, then twenty, send twenty pictures concurrently."""
    shop.start()
    buyers = shop.prepare(customers=UPLOADS)["buyers"]
    picture = BytesIO()
    # Some 4.4 of the 5 MiB that are taken.
    Image.effect_noise(SIDES, 20).convert("RGB").save(picture, "JPEG", quality=50)
    yield asyncio.run(_upload(shop, buyers[:1] * UPLOADS, picture.getvalue(), "one customer"))
    yield asyncio.run(_upload(shop, buyers, picture.getvalue(), f"{UPLOADS} customers"))


async def _upload(shop: Shop, buyers: list[dict[str, Any]], picture: bytes, who: str) -> Figure:
    async with crowd_at(shop) as crowd, crowd_at(shop) as live:
        async with repeating(lambda: _look(live)):
            await asyncio.gather(*(_send(crowd, buyer, picture) for buyer in buyers))
        outcomes = crowd.outcomes()
    slowest = live.slowest(1)
    return Figure(
        "pictures that all want the decoder",
        f"{UPLOADS} of {len(picture) / 2**20:.1f} MiB concurrently, of {who}",
        f"slowest /livez {slowest * 1000:.0f} ms, {crowd.faults()} faults, {dict(outcomes)}",
        f"≤ {MAX_LIVE_SECONDS * 1000:.0f} ms, 0 faults, the rest asked to come again",
        slowest <= MAX_LIVE_SECONDS
        and not crowd.faults()
        and outcomes["ok"] >= 1
        and set(outcomes) <= {"ok", "too_frequent", "shop_busy"},
    )


async def _send(crowd: Crowd, buyer: dict[str, Any], picture: bytes) -> None:
    files = {"file": ("receipt.jpg", picture, "image/jpeg")}
    await crowd.call("POST", "/api/v1/upload/oss/image", token=buyer["token"], files=files)


async def _look(crowd: Crowd) -> None:
    await crowd.call("GET", "/livez")
    await asyncio.sleep(0.02)
