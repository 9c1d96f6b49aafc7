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


class ShipmentGoodsOut(AnswerModel):
    """A product of a parcel, by its names in the order; `goodsAmount` is how many units the parcel has."""

    goodsId: int
    goodsName: str
    goodsEnglishName: str
    goodsAmount: int


class ShipmentOut(AnswerModel):
    """A parcel with a carrier, its newest event first; `trackingUrl` is empty where there is no link."""

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
