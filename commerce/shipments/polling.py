"""Polls the tracking provider for parcels under way (docs/guarantees/delivery.md#parcels)."""

import logging
from datetime import timedelta

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from commerce.shipments.models import FINAL_STATES, Shipment
from commerce.shipments.providers.base import TrackedParcel, TrackingError, TrackingProvider
from commerce.shipments.providers.registry import tracking_provider
from commerce.shipments.services import ASKED_EACH, record_events
from core.due_rows import process_due_rows
from core.shop import contact

log = logging.getLogger(__name__)

# Parcels are tracked for this long after they were sent.
FOLLOWED_FOR = timedelta(days=60)


def poll_due_parcels() -> int:
    """Poll the provider for each due parcel in turn; return how many polls were answered."""
    if tracking_provider() is None:
        return 0
    due = Shipment.objects.filter(next_check_at__lte=timezone.now()).order_by("next_check_at")
    return process_due_rows("ask about parcels", due, poll_parcel)


def poll_parcel(shipment_id: int) -> bool:
    """Poll the provider for a parcel and record its events; return False if it is not due or has none.

    The next poll is scheduled before the provider is polled, for all orders with the same tracking number. So
    concurrent workers poll a number once in half an hour. If the number was polled for another order shortly
    before, it waits for that order's next poll. Call it outside any transaction.
    """
    provider, now = tracking_provider(), timezone.now()
    shipment = Shipment.objects.select_related("carrier", "order").filter(pk=shipment_id).first()
    if provider is None or shipment is None:
        return False
    same = Shipment.objects.filter(carrier_id=shipment.carrier_id, tracking_no=shipment.tracking_no)
    due, oldest = same.filter(next_check_at__lte=now), now - FOLLOWED_FOR
    due.filter(created_at__lte=oldest).update(next_check_at=None)
    to_come = same.aggregate(turn=Max("next_check_at", filter=Q(next_check_at__gt=now)))["turn"]
    mine = due.filter(created_at__gt=oldest).update(next_check_at=to_come or now + ASKED_EACH)
    if to_come or not mine:
        return False
    parcel = TrackedParcel(shipment.carrier.provider_code, shipment.tracking_no, _phone_of(shipment))
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


def _phone_of(shipment: Shipment) -> str:
    """Return the recipient's phone number, or the shop's if it was erased."""
    recipient = (shipment.order.address or {}).get("contactPhone", "")
    sender = "" if recipient else getattr(contact(), "phone", "")
    return str(recipient or sender)


def under_way(parcels: QuerySet[Shipment]) -> QuerySet[Shipment]:
    """Return the parcels that may still get events: carriers reuse tracking numbers."""
    recent = parcels.filter(came_back_at=None, created_at__gt=timezone.now() - FOLLOWED_FOR)
    return recent.exclude(state__in=FINAL_STATES)


def _register(provider: TrackingProvider, parcel: TrackedParcel, same: QuerySet[Shipment]) -> None:
    """Register a parcel for notices; after a failure, its next poll tries again."""
    try:
        if parcel in provider.register([parcel]):
            same.update(registered_at=timezone.now())
    except TrackingError as error:
        log.warning("parcel %s is not registered: %s", parcel.tracking_no, error)
