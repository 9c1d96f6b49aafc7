"""Takes the notices of a tracking provider (docs/guarantees/delivery.md#parcels)."""

from commerce.shipments.models import Shipment
from commerce.shipments.polling import under_way
from commerce.shipments.providers.base import Notice
from commerce.shipments.services import record_events


def take_notice(notice: Notice) -> int:
    """Note what is new of the parcels that a notice names and that are under way; returns how many events.

    The same notice again changes nothing, and neither does one of a parcel that is not the shop's.
    """
    carrier_code, tracking_no = notice.parcel
    named = Shipment.objects.filter(carrier__provider_code=carrier_code, tracking_no=tracking_no)
    return sum(record_events(shipment=each, events=notice.events) for each in under_way(named))
