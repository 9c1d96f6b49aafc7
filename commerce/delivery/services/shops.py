"""Lists the pick-up shops as shoppers see them: hours, free slots, and whether they have the products.

See docs/wire.md#shops.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from django.utils import timezone

from catalog.stock.availability import units_at
from commerce.delivery.models import PickupException, PickupShop, PickupSlot
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
    """A shop that takes orders: its slots of the next seven days, each with the bookings it can still take.

    `exceptions`: the dates within these days on which other hours apply, in order.
    `missing`: what it has too few of, product id → the units it has; None if it was not checked.
    """

    shop: PickupShop
    free_slots: Sequence[tuple[Slot, int]]
    exceptions: Sequence[PickupException]
    missing: Mapping[int, int] | None

    @property
    def has_products(self) -> bool | None:
        """Whether it has all requested units; None if it was not checked."""
        return None if self.missing is None else not self.missing


def open_shops(*, units_by_product: Mapping[int, int]) -> list[OpenShop]:
    """List the shops that take orders, in the shop's order.

    `units_by_product`: product id → units that are asked for; empty for none.
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


def open_locations() -> Set[int]:
    """Return the ids of the stock locations of the shops that take orders; a query in SNAPSHOT_SECONDS."""
    return _open_locations.get()


_open_locations = SharedRows(
    lambda: frozenset(PickupShop.objects.filter(is_open=True).values_list("location_id", flat=True)),
    PickupShop,
)


def shops_with(*, units_by_product: Mapping[int, int]) -> list[PickupShop]:
    """List the shops that take orders and have products now, in the shop's order.

    `units_by_product`: product id → units. A query for each shop.
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
