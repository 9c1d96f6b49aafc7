"""Books pick-up slots."""

from collections.abc import Mapping
from datetime import UTC, datetime

from django.db.models import F
from django.utils import timezone

from commerce.delivery.models import PickupShop, PickupSlot
from commerce.delivery.slots import coming_exceptions, slots_of
from core.counters import subtract
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction


@in_callers_transaction
def book_slot(*, shop: PickupShop, starts_at: datetime) -> PickupSlot:
    """Book an hour of a shop for one customer; concurrent bookings never exceed its capacity.

    Locks: the slot's row. Raises ShopError(parameter_error, fields) if the shop does not offer the hour, or
    if it is full.
    """
    refusal = ShopError(Err.parameter_error, fields={"terminalDateTime": "parameter_error"})
    # In UTC, since Python treats local times in an hour that the clock repeats as unequal to all others.
    starts_at = starts_at.astimezone(UTC)
    capacity = _capacity(shop, starts_at)
    if not capacity:
        raise refusal
    row, _ = PickupSlot.objects.get_or_create(shop=shop, starts_at=starts_at, defaults={"capacity": capacity})
    # The hours may have changed since the first booking: the new capacity applies, and the row is updated.
    taken = PickupSlot.objects.filter(pk=row.pk, booked__lt=capacity).update(
        booked=F("booked") + 1, capacity=capacity
    )
    # The hours may also have changed while this booking waited for the row.
    if not taken or _capacity(shop, starts_at) < capacity:
        raise refusal
    return row


def _capacity(shop: PickupShop, starts_at: datetime) -> int:
    """Return the current capacity of an hour of a shop, in customers; 0 if the hour is not offered."""
    now = timezone.now()
    shops = PickupShop.objects.filter(pk=shop.pk, is_open=True).prefetch_related("hours")
    exceptions = coming_exceptions()
    offered = {slot.starts_at: slot.capacity for row in shops for slot in slots_of(row, exceptions, now)}
    return offered.get(starts_at, 0)


@in_callers_transaction
def release_slots(bookings_by_slot: Mapping[int, int]) -> None:
    """Cancel bookings of pick-up slots; call it once for each booking.

    `bookings_by_slot`: slot pk → bookings, at least 1. Locks: the slots in pk order.
    """
    subtract(PickupSlot.objects.all(), "booked", bookings_by_slot)
