"""What happens to parcels, one file for each subject."""

from commerce.shipments.services.come_back import take_back
from commerce.shipments.services.ship import ship_parcel, units_left
from commerce.shipments.services.track import Event, record_events

__all__ = ["Event", "record_events", "ship_parcel", "take_back", "units_left"]
