"""The parcels of a customer's orders (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Row, Section, labels
from commerce.orders.personal import by_orders
from commerce.shipments.models import Shipment, TrackingEvent


def _parcels(customer: Customer) -> Iterator[Row]:
    states = labels(Shipment, "state")
    for numbers, parcel in by_orders(customer, Shipment.objects.select_related("carrier")):
        yield {
            "parcel": f"{numbers[parcel.order_id]}-P{parcel.number}",
            "sent": parcel.created_at,
            "carrier": parcel.carrier.name,
            "trackingNumber": parcel.tracking_no,
            "state": states[parcel.state],
        }


def wipe(order_ids: list[int]) -> None:
    """Delete the event texts of the orders' parcels, which may contain the recipient's name."""
    events = TrackingEvent.objects.filter(shipment__order__in=order_ids)
    events.exclude(text_zh="", text_en="").update(text_zh="", text_en="")


PERSONAL = Holding(
    tables=frozenset(),
    sections=(
        Section(
            "parcels",
            _("Parcels"),
            {
                "parcel": _("parcel"),
                "sent": _("sent at"),
                "carrier": _("carrier"),
                "trackingNumber": _("tracking number"),
                "state": _("state"),
            },
            _parcels,
        ),
    ),
    wipe=wipe,
)
