"""The pick-up shops as shoppers see them: hours, free slots, and whether they have the goods (CONTRACT 4)."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from django.utils import timezone
from django.utils.dates import WEEKDAYS_ABBR

from catalog.goods.schemas import MOST_GOODS
from catalog.stock.availability import units_at
from commerce.delivery.models import PickupHours, PickupShop, PickupSlot
from commerce.delivery.slots import slots
from core import clock
from core.errors import Err, ShopError
from core.wire import path_id


def read_goods(text: str) -> dict[int, int]:
    """Read goods written as `101:2,102:1` into product id → units; a good named twice is wanted twice.

    Raises ShopError(parameter_error) for anything else but empty text.
    """
    parts = text.split(",") if text else []
    refusal = ShopError(Err.parameter_error, fields={"goods": "parameter_error"})
    if len(parts) > MOST_GOODS:
        raise refusal
    wanted: dict[int, int] = {}
    for part in parts:
        product_id, _, units = part.partition(":")
        try:
            key = path_id(product_id, Err.parameter_error)
            wanted[key] = wanted.get(key, 0) + path_id(units, Err.parameter_error)
        except ShopError:
            raise refusal from None
    return wanted


def open_shops(wanted: Mapping[int, int]) -> list[dict[str, Any]]:
    """List the shops that take orders, with the hours of the next seven days.

    `wanted`: product id → units; empty when nobody asked what the shops have.
    """
    now = timezone.now()
    shops = PickupShop.objects.filter(is_open=True).select_related("location").prefetch_related("hours")
    booked = {
        (slot.shop_id, slot.starts_at): slot.booked
        for slot in PickupSlot.objects.filter(shop__is_open=True, starts_at__gt=now)
    }
    return [
        {
            **shop_snapshot(shop),
            "openingHours": opening_hours(shop.hours.all()),
            "slots": [
                {
                    "terminalDateTime": clock.to_wire(slot.starts_at),
                    "left": max(0, slot.capacity - booked.get((shop.pk, slot.starts_at), 0)),
                }
                for slot in slots(shop.hours.all(), now)
            ],
            "available": _has(shop, wanted) if wanted else None,
        }
        for shop in shops
    ]


def shop_snapshot(shop: PickupShop) -> dict[str, Any]:
    """Copy what an order must remember of its shop, in the wire's names."""
    return {
        "shopId": shop.pk,
        "shopName": shop.name_zh,
        "shopNameEn": shop.name_en,
        "address": shop.address,
    }


def opening_hours(hours: Iterable[PickupHours]) -> str:
    """Write a week's hours in the reader's language, equal days together: `Mon–Fri 09:00–18:00 · Sat …`."""
    runs = []
    # Days that follow each other keep the same distance to their place in the list.
    numbered = enumerate(sorted(hours, key=lambda row: row.weekday))
    for _, run in groupby(
        numbered, key=lambda item: (item[1].weekday - item[0], item[1].opens, item[1].closes)
    ):
        days = [row for _, row in run]
        first, last = (str(WEEKDAYS_ABBR[row.weekday]) for row in (days[0], days[-1]))
        name = first if first == last else f"{first}–{last}"
        runs.append(f"{name} {days[0].opens:%H:%M}–{days[0].closes:%H:%M}")
    return " · ".join(runs)


def _has(shop: PickupShop, wanted: Mapping[int, int]) -> bool:
    units = units_at(shop.location, wanted)
    return all(units.get(product_id, 0) >= amount for product_id, amount in wanted.items())
