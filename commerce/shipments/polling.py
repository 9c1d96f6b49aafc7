"""Asks the provider of tracking about parcels on their way (docs/guarantees/delivery.md#parcels)."""

import logging
from datetime import timedelta

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from commerce.shipments.models import FINAL_STATES, Shipment
from commerce.shipments.providers.base import TrackedParcel, TrackingError, TrackingProvider
from commerce.shipments.providers.registry import tracking_provider
from commerce.shipments.services import ASKED_EACH, record_events
from core.due_rows import process_due_rows

log = logging.getLogger(__name__)

# No parcel is on its way for longer.
FOLLOWED_FOR = timedelta(days=60)


def poll_due_parcels() -> int:
    """Ask about the parcels whose turn it is, one after the other; returns how many have an answer."""
    if tracking_provider() is None:
        return 0
    due = Shipment.objects.filter(next_check_at__lte=timezone.now()).order_by("next_check_at")
    return process_due_rows("ask about parcels", due, poll_parcel)


def poll_parcel(shipment_id: int) -> bool:
    """Ask about a parcel and note what is new; False where it is not its turn, or there is no answer.

    The time of its next poll is set before the provider is polled, for each order that the parcel belongs to:
    if many workers poll, a number is polled once in half an hour. If it was polled for another order shortly
    before, it waits for that one's next time. Call it outside any transaction.
    """
    provider, now = tracking_provider(), timezone.now()
    shipment = Shipment.objects.select_related("carrier").filter(pk=shipment_id).first()
    if provider is None or shipment is None:
        return False
    same = Shipment.objects.filter(carrier_id=shipment.carrier_id, tracking_no=shipment.tracking_no)
    due, oldest = same.filter(next_check_at__lte=now), now - FOLLOWED_FOR
    due.filter(created_at__lte=oldest).update(next_check_at=None)
    to_come = same.aggregate(turn=Max("next_check_at", filter=Q(next_check_at__gt=now)))["turn"]
    mine = due.filter(created_at__gt=oldest).update(next_check_at=to_come or now + ASKED_EACH)
    if to_come or not mine:
        return False
    parcel = TrackedParcel(shipment.carrier.provider_code, shipment.tracking_no)
    if shipment.registered_at is None:
        _register(provider, parcel, same)
    try:
        events = provider.fetch([parcel]).get(parcel, [])
    except TrackingError as error:
        log.warning("parcel %s: %s", shipment.tracking_no, error)
        return False
    for each in under_way(same):
        record_events(shipment=each, events=events)
    return bool(events)


def under_way(parcels: QuerySet[Shipment]) -> QuerySet[Shipment]:
    """Return those of some parcels of which news may come; carriers give numbers of others a second time."""
    recent = parcels.filter(came_back_at=None, created_at__gt=timezone.now() - FOLLOWED_FOR)
    return recent.exclude(state__in=FINAL_STATES)


def _register(provider: TrackingProvider, parcel: TrackedParcel, same: QuerySet[Shipment]) -> None:
    """Ask for notices of a parcel; where that fails it is done at its next turn."""
    try:
        if parcel in provider.register([parcel]):
            same.update(registered_at=timezone.now())
    except TrackingError as error:
        log.warning("parcel %s is not registered: %s", parcel.tracking_no, error)
