"""Parcels on the wire (docs/wire.md#orderlogistics)."""

from collections.abc import Sequence
from datetime import datetime

from core.wire import AnswerModel


class TrackingEventOut(AnswerModel):
    """An event of a parcel; `status` is the parcel's state at that time."""

    time: datetime
    status: str
    text: str
    textEn: str


class ShipmentGoodsOut(AnswerModel):
    """A product in a parcel, with its names in the order; `goodsAmount` is its number of units there."""

    goodsId: int
    goodsName: str
    goodsEnglishName: str
    goodsAmount: int


class ShipmentOut(AnswerModel):
    """A parcel handed to a carrier, its newest event first; `trackingUrl` is empty without tracking page."""

    parcelNo: str
    carrier: str
    carrierEn: str
    trackingNo: str
    trackingUrl: str
    status: str
    goods: Sequence[ShipmentGoodsOut]
    events: Sequence[TrackingEventOut]


class LogisticsOut(AnswerModel):
    """The parcels of an order."""

    list: Sequence[ShipmentOut]
