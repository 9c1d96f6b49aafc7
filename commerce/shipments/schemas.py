"""Parcels on the wire (docs/wire.md#orderlogistics)."""

from collections.abc import Sequence
from datetime import datetime

from core.wire import AnswerModel


class TrackingEventOut(AnswerModel):
    """Something that happened to a parcel; `status` is its state then."""

    time: datetime
    status: str
    text: str
    textEn: str


class ShipmentOut(AnswerModel):
    """A parcel with a carrier, its newest event first; `trackingUrl` is empty where there is no link."""

    parcelNo: str
    carrier: str
    carrierEn: str
    trackingNo: str
    trackingUrl: str
    status: str
    events: Sequence[TrackingEventOut]


class LogisticsOut(AnswerModel):
    """The parcels of an order."""

    list: Sequence[ShipmentOut]
