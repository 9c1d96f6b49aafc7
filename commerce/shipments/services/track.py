"""Records the events of parcels, from every source."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.services import completes_at
from commerce.orders.services.receive import RECEIVABLE
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.shipments.models import BACK_STATES, FINAL_STATES, ParcelState, Shipment, TrackingEvent
from core.languages import in_both_languages
from core.transactions import in_transaction

# The clocks of carriers, and of staff who enter events, may be ahead.
MAX_AHEAD = timedelta(days=1)
# A number may be scanned before staff enter it. Older events belong to an earlier parcel, since carriers
# reuse tracking numbers.
MAX_BEFORE = timedelta(days=7)
# The provider blocks a shop that polls a number more often.
ASKED_EACH = timedelta(minutes=30)


@dataclass(frozen=True)
class Event:
    """An event of a parcel; `code` distinguishes events of the same time."""

    time: datetime
    state: ParcelState
    text_zh: str
    text_en: str
    code: str


def event_of(time: datetime, state: ParcelState, text_zh: str, text_en: str) -> Event:
    """Return an event from staff, or from a carrier that gives a text in one language or none.

    A missing text is replaced by the name of the state.
    """
    state_text = in_both_languages(lambda: str(state.label))
    return Event(time, state, text_zh or state_text.zh, text_en or state_text.en, state)


def is_another_parcels(event: Event, shipment: Shipment) -> bool:
    """Return True if an event is too old for a parcel, since it belongs to an earlier one with its number."""
    return event.time < shipment.created_at - MAX_BEFORE


@in_transaction
def record_events(*, shipment: Shipment, events: Collection[Event]) -> int:
    """Record events of a parcel, each once, and update its state; return how many are new.

    A late event does not change the state. A repeated event with another state replaces the former one.
    Events more than a day ahead, and events of an earlier parcel, are left out. If the parcel's number was
    corrected after the caller read it, nothing is recorded. Until the order completes, the time of its
    automatic completion is calculated again from the newest events of all its parcels. Locks: the order's
    row, then the parcel's.
    """
    order = Order.objects.select_for_update(no_key=True).get(pk=shipment.order_id)
    parcel = {"pk": shipment.pk, "carrier": shipment.carrier_id, "tracking_no": shipment.tracking_no}
    if not Shipment.objects.filter(**parcel).exists():
        return 0
    before = shipment.events.count()
    # A carrier may send an event twice, but one statement can write a row only once.
    fresh = {
        (event.time, event.code[:64]): event
        for event in events
        if event.time <= timezone.now() + MAX_AHEAD and not is_another_parcels(event, shipment)
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
        _note_state(shipment, ParcelState(newest.status))
        set_completion(order)
    return shipment.events.count() - before


def _note_state(shipment: Shipment, state: ParcelState) -> None:
    """Set a parcel's state; a final state ends polling, and a change from a final state resumes it."""
    mine = Shipment.objects.filter(pk=shipment.pk)
    if state in FINAL_STATES:
        mine.update(state=state, next_check_at=None)
        return
    was_final = Q(state__in=FINAL_STATES, came_back_at=None) & ~Q(carrier__provider_code="")
    mine.filter(was_final).update(next_check_at=timezone.now() + ASKED_EACH)
    mine.update(state=state)


def set_completion(order: Order) -> None:
    """Set when a shipped order completes automatically, from the newest events of all its parcels.

    That is some days after its last parcel is delivered, and at the latest the usual time after it was sent.
    It never completes while a parcel is on its way back or is sent back: staff take that parcel back and send
    it again. The caller has locked the order's row.
    """
    if order.status not in RECEIVABLE:
        return
    newest = TrackingEvent.objects.filter(shipment=OuterRef("pk")).values("time")[:1]
    parcels = list(order.shipments.filter(came_back_at=None).annotate(news_at=Subquery(newest)))
    states = {parcel.state for parcel in parcels}
    complete_at = None
    if not states & BACK_STATES:
        sent = order.history.filter(to_status=order.status).exclude(reason=ChangeReason.undone).last()
        complete_at = completes_at(order, sent_at=sent.created_at if sent else None)
        # In any other status a van may carry the rest of the order.
        if order.status == OrderStatus.shipped and states == {ParcelState.delivered}:
            delivered_at = max(max(parcel.news_at, parcel.created_at) for parcel in parcels)
            sooner = delivered_at + timedelta(days=settings.COMPLETE_DELIVERED_AFTER_DAYS)
            complete_at = min(complete_at, sooner)
    if order.complete_at != complete_at:
        Order.objects.filter(pk=order.pk).update(complete_at=complete_at)
