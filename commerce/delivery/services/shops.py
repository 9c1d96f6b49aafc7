"""Lists the pick-up shops as shoppers see them: hours, free slots, and whether they have the products.

See docs/wire.md#shops.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from django.utils import timezone

from catalog.stock.availability import units_at
from commerce.delivery.models import PickupShop, PickupSlot
from commerce.delivery.slots import Slot, slots
from core.snapshots import SharedRows


@dataclass(frozen=True)
class OpenShop:
    """A shop that takes orders: its slots of the next seven days, each with the bookings it can still take.

    `has_products`: None when nobody asked.
    """

    shop: PickupShop
    free_slots: Sequence[tuple[Slot, int]]
    has_products: bool | None


def open_shops(*, units_by_product: Mapping[int, int]) -> list[OpenShop]:
    """List the shops that take orders, in the shop's order.

    `units_by_product`: product id → units that are asked for; empty for none.
    """
    now = timezone.now()
    shops = PickupShop.objects.filter(is_open=True).select_related("location").prefetch_related("hours")
    booked = {
        (slot.shop_id, slot.starts_at): slot.booked
        for slot in PickupSlot.objects.filter(shop__is_open=True, starts_at__gt=now)
    }
    return [
        OpenShop(
            shop,
            [
                (slot, max(0, slot.capacity - booked.get((shop.pk, slot.starts_at), 0)))
                for slot in slots(shop.hours.all(), now)
            ],
            _has_products(shop, units_by_product) if units_by_product else None,
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


def _has_products(shop: PickupShop, units_by_product: Mapping[int, int]) -> bool:
    available = units_at(shop.location, units_by_product)
    return all(available.get(product_id, 0) >= units for product_id, units in units_by_product.items())
