"""Lists the pick-up shops for customers: hours, free slots, and whether they have the products.

See docs/wire.md#shops.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from django.utils import timezone

from catalog.stock.availability import locations_with, units_at
from commerce.delivery.models import PickupException, PickupHours, PickupShop, PickupSlot
from commerce.delivery.slots import (
    LATEST,
    Slot,
    coming_exceptions,
    exceptions_by_date,
    exceptions_of,
    slots_of,
)
from core import clock
from core.snapshots import SharedRows


@dataclass(frozen=True)
class OpenShop:
    """A shop that takes orders: its slots of the next seven days, each with its number of free places.

    `exceptions`: the dates within these days that have other hours, in order.
    `missing`: product id → available units, for products with too few units; None if not checked.
    """

    shop: PickupShop
    free_slots: Sequence[tuple[Slot, int]]
    exceptions: Sequence[PickupException]
    missing: Mapping[int, int] | None

    @property
    def has_products(self) -> bool | None:
        """True if the shop has all requested units; None if not checked."""
        return None if self.missing is None else not self.missing


def open_shops(*, units_by_product: Mapping[int, int]) -> list[OpenShop]:
    """List the shops that take orders, in their sort order.

    `units_by_product`: requested product id → units; empty for none.
    """
    now = timezone.now()
    shops = PickupShop.objects.filter(is_open=True).select_related("location").prefetch_related("hours")
    exceptions = coming_exceptions()
    last_day = timezone.localdate(now + LATEST, clock.shop_zone())
    soon = [row for row in exceptions if row.date <= last_day]
    booked = {
        (slot.shop_id, slot.starts_at): slot.booked
        for slot in PickupSlot.objects.filter(shop__is_open=True, starts_at__gt=now)
    }
    return [
        OpenShop(
            shop,
            [
                (slot, max(0, slot.capacity - booked.get((shop.pk, slot.starts_at), 0)))
                for slot in slots_of(shop, exceptions, now)
            ],
            list(exceptions_by_date(exceptions_of(shop, soon)).values()),
            _missing(shop, units_by_product) if units_by_product else None,
        )
        for shop in shops
    ]


def next_hour(*, units_by_product: Mapping[int, int]) -> tuple[PickupShop, Slot] | None:
    """Return the next free hour of the shops that have all requested units, with its shop; None without one.

    `units_by_product`: requested product id → units; empty for none. Two queries, and as many as shops have
    tables every SNAPSHOT_SECONDS.
    """
    shops, exceptions = _shops.get()
    if units_by_product:
        having = locations_with(units_by_product)
        shops = [shop for shop in shops if shop.location_id in having]
    now = timezone.now()
    booked = {
        (slot.shop_id, slot.starts_at): slot.booked
        for slot in PickupSlot.objects.filter(shop__in=shops, starts_at__gt=now)
    }

    def free() -> Iterator[tuple[PickupShop, Slot]]:
        for shop in shops:
            for slot in slots_of(shop, exceptions, now):
                if booked.get((shop.pk, slot.starts_at), 0) < slot.capacity:
                    yield shop, slot
                    break

    return min(free(), key=lambda found: found[1].starts_at, default=None)


def _read() -> tuple[list[PickupShop], list[PickupException]]:
    shops = PickupShop.objects.filter(is_open=True).prefetch_related("hours")
    return list(shops), coming_exceptions()


_shops = SharedRows(_read, PickupShop, PickupHours, PickupException)


def shop_hours() -> list[tuple[PickupShop, Sequence[PickupException]]]:
    """Return the shops that take orders, each with its exceptions of the next seven days.

    Three queries every SNAPSHOT_SECONDS.
    """
    shops, exceptions = _shops.get()
    last_day = timezone.localdate(timezone.now() + LATEST, clock.shop_zone())
    soon = [row for row in exceptions if row.date <= last_day]
    return [(shop, list(exceptions_by_date(exceptions_of(shop, soon)).values())) for shop in shops]


def open_locations() -> Set[int]:
    """Return the location ids of the shops that take orders; one query every SNAPSHOT_SECONDS."""
    return _open_locations.get()


_open_locations = SharedRows(
    lambda: frozenset(PickupShop.objects.filter(is_open=True).values_list("location_id", flat=True)),
    PickupShop,
)


def shops_with(*, units_by_product: Mapping[int, int]) -> list[PickupShop]:
    """List the shops that take orders and have all requested units now, in their sort order.

    `units_by_product`: product id → units. One query per shop.
    """
    shops = PickupShop.objects.filter(is_open=True).select_related("location")
    return [shop for shop in shops if not _missing(shop, units_by_product)]


def _missing(shop: PickupShop, units_by_product: Mapping[int, int]) -> dict[int, int]:
    available = units_at(shop.location, units_by_product)
    return {
        product_id: available.get(product_id, 0)
        for product_id, units in units_by_product.items()
        if available.get(product_id, 0) < units
    }
