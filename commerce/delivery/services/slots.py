"""Books pick-up slots."""

from datetime import UTC, datetime

from django.db.models import F
from django.utils import timezone

from commerce.delivery.models import PickupHours, PickupShop, PickupSlot
from commerce.delivery.slots import slots
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction


@in_callers_transaction
def book_slot(*, shop: PickupShop, starts_at: datetime) -> PickupSlot:
    """Book an hour of a shop for one customer; as many as its capacity succeed, however many ask.

    Locks: the slot's row. Raises ShopError(parameter_error, fields) for an hour the shop does not offer and
    for a full one.
    """
    refusal = ShopError(Err.parameter_error, fields={"terminalDateTime": "parameter_error"})
    # In UTC: times of a zone are unequal to all others in the hour its clock repeats.
    starts_at = starts_at.astimezone(UTC)
    capacity = _capacity(shop, starts_at)
    if not capacity:
        raise refusal
    row, _ = PickupSlot.objects.get_or_create(shop=shop, starts_at=starts_at, defaults={"capacity": capacity})
    # The hours may have changed since the first booking: the new capacity applies, and the row is updated.
    taken = PickupSlot.objects.filter(pk=row.pk, booked__lt=capacity).update(
        booked=F("booked") + 1, capacity=capacity
    )
    # They may also have changed while this booking waited for others.
    if not taken or _capacity(shop, starts_at) < capacity:
        raise refusal
    return row


def _capacity(shop: PickupShop, starts_at: datetime) -> int:
    """Return how many customers an hour of a shop takes now; 0 where it is not offered."""
    hours = PickupHours.objects.filter(shop=shop, shop__is_open=True)
    offered = {slot.starts_at: slot.capacity for slot in slots(hours, timezone.now())}
    return offered.get(starts_at, 0)


def release_slot(slot_id: int) -> None:
    """Cancel one booking of an hour; call it once for each booking."""
    PickupSlot.objects.filter(pk=slot_id, booked__gt=0).update(booked=F("booked") - 1)
