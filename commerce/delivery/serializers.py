"""Serialises freight and pick-up shops for the wire (docs/wire.md#commonfreight, docs/wire.md#shops)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import date_format
from django.utils.translation import gettext

from commerce.delivery.freight import FreightQuote, Parcel
from commerce.delivery.models import PickupException, PickupHours, PickupShop
from commerce.delivery.services.arrivals import Arrival
from commerce.delivery.services.shops import OpenShop
from commerce.delivery.windows import Window
from core import clock


def freight_out(quote: FreightQuote | None) -> dict[str, Any]:
    """Serialise a freight quote; None if the destination is unknown."""
    if quote is None:
        return {"freight": None, "parcels": [], "freeFrom": [], "missingForFree": None}
    return {
        "freight": quote.freight,
        "parcels": [_parcel_out(parcel) for parcel in quote.parcels],
        "freeFrom": [
            {"storage": each.storage, "amount": each.amount, "missing": each.missing, "saved": each.saved}
            for each in quote.free_from
        ],
        "missingForFree": quote.missing_for_free,
    }


def parcel_copy(parcel: Parcel) -> dict[str, Any]:
    """Return the parcel fields that an order stores; the freight is a text of dollars and cents."""
    return _parcel_out(parcel) | {"freight": str(parcel.freight)}


def _parcel_out(parcel: Parcel) -> dict[str, Any]:
    return {
        "storage": parcel.storage,
        "weight": parcel.weight,
        "freight": parcel.freight,
        "reason": parcel.reason_zh,
        "reasonEn": parcel.reason_en,
        "daysFrom": parcel.days_from,
        "daysTo": parcel.days_to,
    }


def arrival_out(arrival: Arrival) -> dict[str, Any]:
    """Serialise when products arrive, and when they can be picked up."""
    window, pickup = arrival.window, arrival.pickup
    return {
        "window": window and _period_out(window.starts_at, window.ends_at),
        "parcels": [_days_out(_parcel_out(parcel)) for parcel in arrival.parcels],
        "pickup": pickup and _pickup_out(shop_copy(pickup[0]), clock.to_wire(pickup[1].starts_at)),
        "expectedDate": arrival.expected and arrival.expected.isoformat(),
    }


def booked_arrival_out(
    *,
    window: tuple[datetime, datetime] | None,
    parcels: Sequence[dict[str, Any]],
    shop: dict[str, Any] | None,
) -> dict[str, Any]:
    """Serialise when an order arrives, from its own copies.

    `window`: its start and end. `parcels`: as `parcel_copy` returns them. `shop`: with its pick-up hour.
    """
    # Older orders have parcels without days; parcels of one storage have equal days.
    by_storage = {each["storage"]: each for each in parcels if each.get("daysTo") is not None}
    return {
        "window": window and _period_out(*window),
        "parcels": [_days_out(each) for each in by_storage.values()],
        "pickup": shop and _pickup_out(shop, shop["terminalDateTime"]),
        "expectedDate": None,
    }


def _period_out(starts_at: datetime, ends_at: datetime) -> dict[str, str]:
    return {"deliverySlot": clock.to_wire(starts_at), "endTime": clock.to_wire(ends_at)}


def _days_out(parcel: Mapping[str, Any]) -> dict[str, Any]:
    return {name: parcel[name] for name in ("storage", "daysFrom", "daysTo")}


def _pickup_out(shop: Mapping[str, Any], hour: str) -> dict[str, Any]:
    names = {name: shop[name] for name in ("shopId", "shopName", "shopNameEn")}
    return names | {"terminalDateTime": hour}


def open_shop_out(open_shop: OpenShop) -> dict[str, Any]:
    """Serialise a shop with its free slots; its hours are in the active language."""
    return {
        **shop_copy(open_shop.shop),
        "openingHours": opening_hours(open_shop.shop.hours.all(), open_shop.exceptions),
        "slots": [
            {"terminalDateTime": clock.to_wire(slot.starts_at), "left": left}
            for slot, left in open_shop.free_slots
        ],
        "available": open_shop.has_products,
        "missing": [
            {"goodsId": product_id, "left": left} for product_id, left in (open_shop.missing or {}).items()
        ],
    }


def windows_out(free: Sequence[tuple[Window, int]] | None) -> dict[str, Any]:
    """Serialise delivery windows with their free places; None if the van does not deliver there."""
    return {
        "offered": free is not None,
        "slots": [
            {
                "deliverySlot": clock.to_wire(window.starts_at),
                "endTime": clock.to_wire(window.ends_at),
                "left": left,
            }
            for window, left in free or []
        ],
    }


def shop_copy(shop: PickupShop) -> dict[str, Any]:
    """Return the shop fields that an order stores."""
    return {
        "shopId": shop.pk,
        "shopName": shop.name_zh,
        "shopNameEn": shop.name_en,
        "address": shop.address,
    }


def opening_hours(hours: Iterable[PickupHours], exceptions: Iterable[PickupException] = ()) -> str:
    """Return a week's hours in the reader's language, equal days together: `Mon–Fri 09:00–18:00 · Sat …`.

    `exceptions`: dates to append, such as `25 December closed`.
    """
    runs = []
    # For consecutive weekdays, weekday minus list index is constant, so they form one group.
    numbered = enumerate(sorted(hours, key=lambda row: row.weekday))
    for _, run in groupby(
        numbered, key=lambda item: (item[1].weekday - item[0], item[1].opens, item[1].closes)
    ):
        days = [row for _, row in run]
        first, last = (str(WEEKDAYS_ABBR[row.weekday]) for row in (days[0], days[-1]))
        name = first if first == last else f"{first}–{last}"
        runs.append(f"{name} {days[0].opens:%H:%M}–{days[0].closes:%H:%M}")
    return " · ".join([*runs, *map(_exception_text, exceptions)])


def _exception_text(row: PickupException) -> str:
    day = date_format(row.date, "MONTH_DAY_FORMAT")
    if row.opens is None or row.closes is None:
        return gettext("%(day)s closed") % {"day": day}
    return f"{day} {row.opens:%H:%M}–{row.closes:%H:%M}"
