"""What happens to parcels, one file for each subject."""

from commerce.shipments.services.close_rest import close_rest
from commerce.shipments.services.come_back import take_back
from commerce.shipments.services.correct import correct_parcel
from commerce.shipments.services.ship import can_ship, ship_parcel, units_left
from commerce.shipments.services.track import (
    ASKED_EACH,
    MAX_AHEAD,
    Event,
    event_of,
    is_another_parcels,
    record_events,
)

__all__ = [
    "ASKED_EACH",
    "MAX_AHEAD",
    "Event",
    "can_ship",
    "close_rest",
    "correct_parcel",
    "event_of",
    "is_another_parcels",
    "record_events",
    "ship_parcel",
    "take_back",
    "units_left",
]
