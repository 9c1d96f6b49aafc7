"""Wire schemas of freight, delivery windows and pick-up shops (docs/wire.md#shops)."""

from collections import Counter
from typing import Annotated

from pydantic import Field

from catalog.goods.models import Storage
from catalog.goods.schemas import MAX_PRODUCTS, GoodsLine
from core.errors import Err, ShopError
from core.wire import AnswerModel, Price, WireModel, WireText, path_id


class WindowsQuery(WireModel):
    """Products and a destination; `address` is country, province, city, area, post code joined by `-`."""

    address: WireText | None = None
    orderGoods: Annotated[list[GoodsLine], Field(max_length=MAX_PRODUCTS)] | None = None

    def units_by_product(self) -> Counter[int]:
        """Return product id → units; the units of a repeated product are added up."""
        units: Counter[int] = Counter()
        for line in self.orderGoods or []:
            units[line.goodsId] += line.goodsAmount
        return units


class FreightQuery(WindowsQuery):
    """Products, a destination and the way of delivery."""

    shippingType: WireText | None = None


class ParcelOut(AnswerModel):
    """One parcel: weight in grams, price in dollars; the texts explain the price in Chinese and English.

    `daysFrom`, `daysTo`: working days from payment to delivery; null if unknown, or if the van brings it.
    """

    storage: str
    weight: int
    freight: Price
    reason: str
    reasonEn: str
    daysFrom: int | None
    daysTo: int | None


class FreeFromOut(AnswerModel):
    """The goods value from which the parcels of a storage are free, in dollars (docs/wire.md#commonfreight).

    `missing` is 0 if they are free; `saved` is how much less the order then costs.
    """

    storage: Storage
    amount: Price
    missing: Price
    saved: Price


class FreightOut(AnswerModel):
    """The delivery cost, in dollars; `missingForFree` is the goods value missing for free delivery."""

    freight: Price
    parcels: list[ParcelOut]
    freeFrom: list[FreeFromOut]
    missingForFree: Price | None


class SlotOut(AnswerModel):
    """A pick-up hour (`dd/MM/yyyy HH:mm` in the shop's time zone); `left` is the number of free places."""

    terminalDateTime: str
    left: int


class MissingOut(AnswerModel):
    """A product that a shop has too few units of; `left` is the number that it has."""

    goodsId: int
    left: int


class ShopOut(AnswerModel):
    """A pick-up shop; `available` is true if it has the requested products, null if none were requested."""

    shopId: int
    shopName: str
    shopNameEn: str
    address: str
    openingHours: str
    slots: list[SlotOut]
    available: bool | None
    missing: list[MissingOut]


class WindowOut(AnswerModel):
    """A delivery window: start and end (`dd/MM/yyyy HH:mm`); `left` is the number of free places."""

    deliverySlot: str
    endTime: str
    left: int


class WindowsOut(AnswerModel):
    """The delivery windows of the next seven days; `offered` is false if the van does not deliver there."""

    offered: bool
    slots: list[WindowOut]


class PeriodOut(AnswerModel):
    """A delivery window: start and end (`dd/MM/yyyy HH:mm`)."""

    deliverySlot: str
    endTime: str


class DaysOut(AnswerModel):
    """The working days from payment to delivery of the parcels of a storage."""

    storage: Storage
    daysFrom: int
    daysTo: int


class PickupOut(AnswerModel):
    """A pick-up hour (`dd/MM/yyyy HH:mm`) and its shop."""

    shopId: int
    shopName: str
    shopNameEn: str
    terminalDateTime: str


class ArrivalOut(AnswerModel):
    """When products arrive, as far as it is known (docs/wire.md#commonarrival)."""

    window: PeriodOut | None
    parcels: list[DaysOut]
    pickup: PickupOut | None
    expectedDate: str | None


def read_units(text: str) -> dict[int, int]:
    """Parse `101:2,102:1` as product id → units; the units of a repeated product are added up.

    An empty text is allowed. Raises ShopError(parameter_error) for any other text.
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
