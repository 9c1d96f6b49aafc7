"""Writes parcels for the wire (docs/wire.md#orderlogistics)."""

from typing import Any

from django.db.models import Prefetch

from commerce.orders.models import Order
from commerce.shipments.models import Shipment, ShipmentLine, TrackingEvent


def shipments_out(order: Order) -> list[dict[str, Any]]:
    """Write the parcels of an order in the order in which they were sent; three queries."""
    lines = Prefetch("lines", ShipmentLine.objects.select_related("line").order_by("line_id"))
    shipments = order.shipments.select_related("carrier").prefetch_related("events", lines)
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
        "goods": [_goods_out(part) for part in shipment.lines.all()],
        "events": [_event_out(event) for event in shipment.events.all()],
    }


def _goods_out(part: ShipmentLine) -> dict[str, Any]:
    return {
        "goodsId": part.line.product_id,
        "goodsName": part.line.name_zh,
        "goodsEnglishName": part.line.name_en,
        "goodsAmount": part.units,
    }


def _event_out(event: TrackingEvent) -> dict[str, Any]:
    return {
        "time": event.time,
        "status": event.status,
        "text": event.text_zh,
        "textEn": event.text_en,
    }
