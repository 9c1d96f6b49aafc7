"""Takes what a provider of tracking tells of parcels by itself (docs/guarantees.md#parcels)."""

from django.db.models import F
from django.utils import timezone

from commerce.shipments.asking import under_way
from commerce.shipments.models import RefusedNotice, Shipment
from commerce.shipments.providers.base import Notice
from commerce.shipments.services import record_events


def take_notice(notice: Notice) -> int:
    """Note what is new of the parcels that a notice names and that are under way; returns how many events.

    The same notice again changes nothing, and neither does one of a parcel that is not the shop's.
    """
    carrier_code, tracking_no = notice.parcel
    named = Shipment.objects.filter(carrier__provider_code=carrier_code, tracking_no=tracking_no)
    return sum(record_events(shipment=each, events=notice.events) for each in under_way(named))


def count_refused(*, provider: str, reason: RefusedNotice.Reason) -> None:
    """Count a notice that was refused."""
    refused = RefusedNotice.objects.get_or_create(provider=provider, reason=reason)[0]
    RefusedNotice.objects.filter(pk=refused.pk).update(count=F("count") + 1, last_at=timezone.now())
