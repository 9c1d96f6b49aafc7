"""Books pick-up slots."""

from datetime import UTC, datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from commerce.delivery.models import PickupShop, PickupSlot
from commerce.delivery.slots import slots
from core.errors import Err, ShopError


@transaction.atomic
def book_slot(*, shop: PickupShop, starts_at: datetime) -> PickupSlot:
    """Book an hour of a shop for one customer; as many as its capacity succeed, however many ask.

    Locks: the slot's row. Raises ShopError(parameter_error, fields) for an hour the shop does not offer and
    for a full one.
    """
    refusal = ShopError(Err.parameter_error, fields={"terminalDateTime": "parameter_error"})
    offered = {slot.starts_at: slot for slot in slots(shop.hours.all(), timezone.now())}
    # In UTC: times of a zone are unequal to all others in the hour its clock repeats.
    starts_at = starts_at.astimezone(UTC)
    slot = offered.get(starts_at)
    if slot is None or not shop.is_open:
        raise refusal
    row, _ = PickupSlot.objects.get_or_create(
        shop=shop, starts_at=starts_at, defaults={"capacity": slot.capacity}
    )
    # The hours may have changed since the first booking: the new capacity applies, and the row is updated.
    taken = PickupSlot.objects.filter(pk=row.pk, booked__lt=slot.capacity).update(
        booked=F("booked") + 1, capacity=slot.capacity
    )
    if not taken:
        raise refusal
    return row


def release_slot(slot_id: int) -> None:
    """Cancel one booking of an hour; call it once for each booking."""
    PickupSlot.objects.filter(pk=slot_id, booked__gt=0).update(booked=F("booked") - 1)
