"""Finds when products arrive at a place, and when they can be picked up (docs/product.md#when-it-comes)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from catalog.goods.listed import CartProduct
from catalog.goods.models import Storage
from commerce.delivery.freight import COLD, Parcel, Region, goes_by_van
from commerce.delivery.models import PickupShop
from commerce.delivery.services.quotes import has_advance, quote_freight
from commerce.delivery.services.shops import next_hour
from commerce.delivery.services.windows import next_window
from commerce.delivery.slots import Slot
from commerce.delivery.windows import Window
from core.errors import ShopError
from core.money import ZERO


@dataclass(frozen=True)
class Arrival:
    """When products arrive, as far as it is known.

    `window`: the next free window, if the van brings them. `parcels`: one for each storage kind that staff
    have configured days for. `pickup`: the next free hour of a shop that has the products. `expected`: when
    all advance products are in the shop; the rest is then unknown.
    """

    window: Window | None = None
    parcels: Sequence[Parcel] = ()
    pickup: tuple[PickupShop, Slot] | None = None
    expected: date | None = None


def next_arrival(*, region: Region | None, units: Sequence[tuple[CartProduct, int]]) -> Arrival:
    """Return when products arrive in a region, and when they can be picked up.

    `region`: None if it is unknown. `units`: products with their units; empty asks for the van if it goes to
    the region, and else for the days of a room-temperature parcel. Four queries, and those of rarely changed
    rows every SNAPSHOT_SECONDS.
    """
    if has_advance(units):
        return Arrival(expected=_expected(units))
    pickup = next_hour(units_by_product={product.id: count for product, count in units})
    if region is None:
        return Arrival(pickup=pickup)
    storages = {product.storage for product, _ in units}
    if goes_by_van(region, storages or COLD):
        return Arrival(window=next_window(), pickup=pickup)
    return Arrival(parcels=_parcels(region, units), pickup=pickup)


def parcels_with_days(parcels: Sequence[Parcel]) -> list[Parcel]:
    """Return the first parcel of each storage kind whose days are known."""
    by_storage = {parcel.storage: parcel for parcel in reversed(parcels) if parcel.days_to is not None}
    return [by_storage[storage] for storage in Storage.values if storage in by_storage]


def _expected(units: Sequence[tuple[CartProduct, int]]) -> date | None:
    dates = [product.expected for product, _ in units if product.is_advance]
    known = [each for each in dates if each is not None]
    return max(known) if len(known) == len(dates) else None


@dataclass(frozen=True)
class _AnyProduct:
    """A light product at room temperature, for the question when anything arrives."""

    storage: str = Storage.ambient.value
    net_weight: int = 1


def _parcels(region: Region, units: Sequence[tuple[CartProduct, int]]) -> list[Parcel]:
    # Nothing arrives where nothing is sent; the freight call has the reason.
    with suppress(ShopError):
        quote = quote_freight(region=region, units=units or [(_AnyProduct(), 1)], amount=ZERO)
        return parcels_with_days(quote.parcels)
    return []
