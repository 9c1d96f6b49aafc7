"""Parcels as the wire writes them (docs/wire.md#orderlogistics)."""

from typing import Any

from commerce.orders.models import Order
from commerce.shipments.models import Shipment, TrackingEvent


def shipments_out(order: Order) -> list[dict[str, Any]]:
    """Write the parcels of an order in the order in which they were sent; two queries."""
    shipments = order.shipments.select_related("carrier").prefetch_related("events")
    return [_shipment_out(order, shipment) for shipment in shipments]


def _shipment_out(order: Order, shipment: Shipment) -> dict[str, Any]:
    carrier = shipment.carrier
    return {
        "parcelNo": f"{order.order_no}-P{shipment.number}",
        "carrier": carrier.name_zh,
        "carrierEn": carrier.name_en,
        "trackingNo": shipment.tracking_no,
        "trackingUrl": shipment.tracking_url,
        "status": shipment.state,
        "events": [_event_out(event) for event in shipment.events.all()],
    }


def _event_out(event: TrackingEvent) -> dict[str, Any]:
    return {
        "time": event.time,
        "status": event.status,
        "text": event.text_zh,
        "textEn": event.text_en,
    }
