"""The services of parcels, one file for each subject."""

from commerce.shipments.services.cancel_unshipped import cancel_unshipped
from commerce.shipments.services.correct import correct_parcel
from commerce.shipments.services.record_return import record_return
from commerce.shipments.services.reinstate import reinstate_order
from commerce.shipments.services.ship import can_ship, ship_parcel, units_left
from commerce.shipments.services.track import (
    ASKED_EACH,
    MAX_AHEAD,
    Event,
    event_of,
    is_another_parcels,
    record_events,
)
from commerce.shipments.services.undo import UNDO_OBSTACLES, Undo, check_undo, undo_move, undo_of

__all__ = [
    "ASKED_EACH",
    "MAX_AHEAD",
    "UNDO_OBSTACLES",
    "Event",
    "Undo",
    "can_ship",
    "cancel_unshipped",
    "check_undo",
    "correct_parcel",
    "event_of",
    "is_another_parcels",
    "record_events",
    "record_return",
    "reinstate_order",
    "ship_parcel",
    "undo_move",
    "undo_of",
    "units_left",
]
