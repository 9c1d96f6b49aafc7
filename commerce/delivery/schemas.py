"""Freight and pick-up shops on the wire (docs/wire.md#shops)."""

from collections import Counter
from typing import Annotated

from pydantic import Field

from catalog.goods.schemas import MAX_PRODUCTS, GoodsLine
from core.errors import Err, ShopError
from core.wire import AnswerModel, Price, WireModel, WireText, path_id


class WindowsQuery(WireModel):
    """Which products are to go where; `address` is country, province, city, area, post code joined by `-`."""

    address: WireText | None = None
    orderGoods: Annotated[list[GoodsLine], Field(max_length=MAX_PRODUCTS)] | None = None

    def units_by_product(self) -> Counter[int]:
        """Return product id → units; a product that is named twice counts with the sum."""
        units: Counter[int] = Counter()
        for line in self.orderGoods or []:
            units[line.goodsId] += line.goodsAmount
        return units


class FreightQuery(WindowsQuery):
    """Which products are to go where, and how."""

    shippingType: WireText | None = None


class ParcelOut(AnswerModel):
    """One parcel: its weight in grams, its price in dollars, why it costs that in Chinese and English."""

    storage: str
    weight: int
    freight: Price
    reason: str
    reasonEn: str


class FreightOut(AnswerModel):
    """What sending costs, in dollars; how much more the goods must cost for all parcels to be free."""

    freight: Price
    parcels: list[ParcelOut]
    missingForFree: Price | None


class SlotOut(AnswerModel):
    """An hour for picking up (`dd/MM/yyyy HH:mm` in the shop's zone) and how many it can still take."""

    terminalDateTime: str
    left: int


class MissingOut(AnswerModel):
    """A product that a shop has too few of, and how many it has."""

    goodsId: int
    left: int


class ShopOut(AnswerModel):
    """A pick-up shop; `available` shows whether it has the products asked for, null when none were."""

    shopId: int
    shopName: str
    shopNameEn: str
    address: str
    openingHours: str
    slots: list[SlotOut]
    available: bool | None
    missing: list[MissingOut]


class WindowOut(AnswerModel):
    """A window of the van: its beginning and end (`dd/MM/yyyy HH:mm`), and how many orders it still takes."""

    deliverySlot: str
    endTime: str
    left: int


class WindowsOut(AnswerModel):
    """The windows of the next seven days; `offered` is false where the van does not go."""

    offered: bool
    slots: list[WindowOut]


def read_units(text: str) -> dict[int, int]:
    """Read `101:2,102:1` as product id → units; a product that is named twice counts with the sum.

    Raises ShopError(parameter_error) for anything else but empty text.
    """
    parts = text.split(",") if text else []
    refusal = ShopError(Err.parameter_error, fields={"goods": "parameter_error"})
    if len(parts) > MAX_PRODUCTS:
        raise refusal
    units_by_product: dict[int, int] = {}
    for part in parts:
        product_id, _, units = part.partition(":")
        try:
            key = path_id(product_id, Err.parameter_error)
            units_by_product[key] = units_by_product.get(key, 0) + path_id(units, Err.parameter_error)
        except ShopError:
            raise refusal from None
    return units_by_product
