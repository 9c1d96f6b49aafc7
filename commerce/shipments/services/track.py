"""Notes what happens to parcels, whoever reports it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.services.receive import RECEIVABLE
from commerce.shipments.models import FINAL_STATES, ParcelState, Shipment, TrackingEvent
from core.languages import in_both_languages
from core.transactions import in_transaction

# Clocks of carriers, and of those who type their news, may be ahead.
MAX_AHEAD = timedelta(days=1)


@dataclass(frozen=True)
class Event:
    """Something that happened to a parcel; `code` tells it from another of the same moment."""

    time: datetime
    state: ParcelState
    text_zh: str
    text_en: str
    code: str


def event_of(time: datetime, state: ParcelState, text_zh: str, text_en: str) -> Event:
    """Return an event that staff enter, or a carrier whose words have one language or none.

    A text that is missing is the state in that language.
    """
    state_text = in_both_languages(lambda: str(state.label))
    return Event(time, state, text_zh or state_text.zh, text_en or state_text.en, state)


@in_transaction
def record_events(*, shipment: Shipment, events: Collection[Event]) -> int:
    """Note events of a parcel, each once, and how far it has come; returns how many were new.

    An event that comes late changes nothing of where the parcel is now; one that is repeated with another
    state replaces the former; one more than a day ahead is no news, and left out. The last parcel of an order
    that is delivered lets the order complete sooner, but never before it was sent; with one that the carrier
    brings back it does not complete by itself.
    Locks: the order's row, then the parcel's.
    """
    order = Order.objects.select_for_update(no_key=True).get(pk=shipment.order_id)
    before = shipment.events.count()
    # A carrier may name one twice, and a statement writes each row once.
    fresh = {
        (event.time, event.code[:64]): event for event in events if event.time <= timezone.now() + MAX_AHEAD
    }
    TrackingEvent.objects.bulk_create(
        (
            TrackingEvent(
                shipment=shipment,
                time=time,
                status=event.state,
                text_zh=event.text_zh[:300],
                text_en=event.text_en[:300],
                code=code,
            )
            for (time, code), event in fresh.items()
        ),
        update_conflicts=True,
        unique_fields=["shipment", "time", "code"],
        update_fields=["status", "text_zh", "text_en"],
    )
    newest = shipment.events.first()
    if newest is not None:
        mine = Shipment.objects.filter(pk=shipment.pk)
        mine.update(state=newest.status)
        if newest.status in FINAL_STATES:
            mine.update(next_check_at=None)
        if newest.status == ParcelState.delivered:
            _complete_sooner(order, max(newest.time, shipment.created_at))
        elif newest.status == ParcelState.returned:
            # What the carrier brings back has not been received: staff take it back and send it again.
            Order.objects.filter(pk=order.pk, status__in=RECEIVABLE).update(complete_at=None)
    return shipment.events.count() - before


def _complete_sooner(order: Order, delivered_at: datetime) -> None:
    under_way = order.shipments.filter(came_back_at=None).exclude(state=ParcelState.delivered)
    if under_way.exists():
        return
    sooner = delivered_at + timedelta(days=settings.COMPLETE_DELIVERED_AFTER_DAYS)
    waits_longer = Q(complete_at__gt=sooner)
    Order.objects.filter(waits_longer, pk=order.pk, status__in=RECEIVABLE).update(complete_at=sooner)
