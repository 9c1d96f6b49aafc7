"""Freight and pick-up shops on the wire (CONTRACT 4)."""

from typing import Annotated

from pydantic import Field

from catalog.goods.schemas import MOST_GOODS, GoodsLine
from core.wire import Price, WireModel, WireText


class FreightQuery(WireModel):
    """Which goods are to go where; `address` is country, province, city, area, post code joined by `-`."""

    address: WireText | None = None
    orderGoods: Annotated[list[GoodsLine], Field(max_length=MOST_GOODS)] | None = None
    shippingType: WireText | None = None


class ParcelOut(WireModel):
    """One parcel: its weight in grams, its price in dollars."""

    storage: str
    weight: int
    freight: Price


class FreightOut(WireModel):
    """What sending costs, in dollars."""

    freight: Price
    parcels: list[ParcelOut]


class SlotOut(WireModel):
    """An hour for picking up (`dd/MM/yyyy HH:mm` in the shop's zone) and how many it can still take."""

    terminalDateTime: str
    left: int


class ShopOut(WireModel):
    """A pick-up shop; `available` tells whether it has the goods asked for, null when none were."""

    shopId: int
    shopName: str
    shopNameEn: str
    address: str
    openingHours: str
    slots: list[SlotOut]
    available: bool | None
