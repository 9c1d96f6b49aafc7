"""Orders on the wire (docs/wire.md#orders)."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from catalog.goods.schemas import MAX_PRODUCTS, GoodsLine
from commerce.accounts.schemas import AddressCopy
from commerce.delivery.freight import Region
from commerce.delivery.schemas import ParcelOut
from commerce.delivery.shipping import ShippingType, read_shipping_type
from commerce.orders.id_cards import normal_form
from commerce.orders.requests import Basket, Delivery, Fulfilment, PickUp, Wishes
from commerce.orders.searching import Period
from commerce.vouchers.codes import stored_code
from core import clock
from core.errors import Err, ShopError
from core.wire import AnswerModel, PageQuery, Price, WireId, WireInt, WireModel, WireText, blank_as_none

OptionalId = Annotated[WireId | None, BeforeValidator(blank_as_none)]
OptionalText = WireText | None
VoucherCode = Annotated[WireText, Field(max_length=40)] | None
Points = Annotated[Annotated[WireInt, Field(ge=0, le=2**31 - 1)] | None, BeforeValidator(blank_as_none)]


class ActionLine(GoodsLine):
    """A product bought at the price of a promotion."""

    actionTypeId: WireId


class GoodsIn(WireModel):
    """The products of an order; those of a promotion are separate."""

    orderGoods: Annotated[list[GoodsLine], Field(max_length=MAX_PRODUCTS)] | None = None
    actionGoods: Annotated[list[ActionLine], Field(max_length=MAX_PRODUCTS)] | None = None
    voucherCode: VoucherCode = None

    def voucher_code(self) -> str:
        """Return the voucher's code as it is stored, empty for none."""
        return stored_code(self.voucherCode or "")

    def basket(self) -> Basket | None:
        """Return what is named, None for nothing; raises ShopError(one_activity_only)."""
        ordinary, promoted = self.orderGoods or [], self.actionGoods or []
        if not ordinary and not promoted:
            return None
        return Basket.of(
            [(line.goodsId, line.goodsAmount) for line in ordinary],
            [(line.actionTypeId, line.goodsId, line.goodsAmount) for line in promoted],
        )


class PreviewIn(GoodsIn):
    """An order to come; `address` as for freight, where it is known."""

    shippingType: OptionalText = None
    address: OptionalText = None
    points: Points = None

    def shipping_type(self) -> ShippingType | None:
        """Return the way of delivery, None for none; raises ShopError(choose_delivery) for an unknown one."""
        return read_shipping_type(self.shippingType) if self.shippingType else None

    def region(self) -> Region | None:
        """Return where it goes, None for nowhere yet; raises as `Region.from_wire` does."""
        address = (self.address or "").strip()
        return Region.from_wire(address) if address else None


class OrderIn(GoodsIn):
    """An order as it is sent; prices in it are never read."""

    transactionCode: WireText
    shippingType: OptionalText = None
    deliveryAddressId: OptionalId = None
    shopId: OptionalId = None
    terminalDateTime: OptionalText = None
    deliverySlot: OptionalText = None
    leaveAtDoor: Annotated[bool | None, BeforeValidator(blank_as_none)] = None
    idCard: OptionalText = None
    points: Points = None
    remark: Annotated[WireText, Field(max_length=500)] | None = None
    soldOutWish: Annotated[Literal["replace", "refund", "ask"] | None, BeforeValidator(blank_as_none)] = None

    def wishes(self, language: str) -> Wishes:
        """Return the customer's wishes besides the products; `language`: that of the request."""
        return Wishes(self.remark or "", self.soldOutWish or "", language)

    def fulfilment(self) -> Fulfilment:
        """Return how the products reach the customer.

        Raises ShopError(choose_delivery, choose_consignee), and ShopError(parameter_error) for a pick-up
        without its shop or its time.
        """
        shipping_type = read_shipping_type(self.shippingType or "")
        if shipping_type == ShippingType.pickup:
            if self.shopId is None:
                raise ShopError(Err.parameter_error, fields={"shopId": "parameter_error"})
            return PickUp(self.shopId, _time("terminalDateTime", self.terminalDateTime))
        if self.deliveryAddressId is None:
            raise ShopError(Err.choose_consignee, fields={"deliveryAddressId": "choose_consignee"})
        window = _time("deliverySlot", self.deliverySlot) if self.deliverySlot else None
        return Delivery(
            shipping_type,
            self.deliveryAddressId,
            window,
            self.leaveAtDoor or False,
            id_card=normal_form(self.idCard or ""),
        )


def _time(field: str, text: str | None) -> datetime:
    try:
        return clock.from_wire(text or "")
    except ValueError:
        raise ShopError(Err.parameter_error, fields={field: "parameter_error"}) from None


def _day(value: object) -> object:
    """Refuse what is no text: a number would be read as seconds since 1970."""
    if value is not None and not isinstance(value, str):
        raise ValueError("not a day")
    return value or None


# The days that a period of orders may begin and end with.
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2100, 12, 31)
Day = Annotated[Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY)] | None, BeforeValidator(_day)]


class OrdersQuery(PageQuery):
    """Which of one's orders to list; `from` and `to`: the first and the last day they were made on."""

    status: Annotated[
        Literal["unpaid", "paid", "unreceived", "completed", "canceled"] | None,
        BeforeValidator(blank_as_none),
    ] = None
    word: Annotated[WireText, Field(max_length=100)] | None = None
    from_day: Annotated[Day, Field(alias="from")] = None
    to_day: Annotated[Day, Field(alias="to")] = None

    def period(self) -> Period:
        """Return when the orders were made; raises ShopError(parameter_error) for one that ends too soon."""
        if self.from_day and self.to_day and self.to_day < self.from_day:
            raise ShopError(Err.parameter_error, fields={"to": Err.parameter_error.name})
        return Period(self.from_day, self.to_day)


class TradeOut(AnswerModel):
    """The code of one future order."""

    transactionCode: str


class PlacedOut(AnswerModel):
    """What a new order costs, in dollars, and until when it waits for its payment."""

    orderNo: str
    orderAmount: Price
    freight: Price
    payAmount: Price
    expireTime: datetime | None


class PreviewGoodsOut(AnswerModel):
    """A line of an order to come, in dollars: `lineAmount` has the discount taken off; `gst` is within it."""

    goodsId: int
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    goodsAmount: int
    price: Price
    discount: Price
    lineAmount: Price
    gst: Price
    actionTypeId: int | None
    isGift: bool
    why: str
    whyEn: str


class PreviewOut(AnswerModel):
    """What an order would hold, in dollars; `freight` is null while it is not known where it goes.

    `gst` is the tax in what is paid in money of `orderAmount`, `freightGst` that in `freight`. `pointsUsable`
    is the most points that can pay for it.
    """

    goods: Sequence[PreviewGoodsOut]
    orderAmount: Price
    discount: Price
    freight: Price | None
    parcels: Sequence[ParcelOut]
    missingForFree: Price | None
    gst: Price
    freightGst: Price
    points: int
    pointsAmount: Price
    pointsUsable: int
    payAmount: Price


class OrderGoodsOut(AnswerModel):
    """One product of an order as it was bought, in dollars: `price` for one, `lineAmount` for all of it.

    `discount` is taken off already; `why` is the rule behind price and discount. `refundedUnits` and
    `refundedAmount` are what of it was given back.
    """

    goodsId: int
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    goodsAmount: int
    price: Price
    discount: Price
    lineAmount: Price
    actionTypeId: int | None
    isGift: bool
    why: str
    whyEn: str
    refundedUnits: int
    refundedAmount: Price


class OrderOut(PlacedOut):
    """An order of the list."""

    orderStatus: int
    statusLabel: str
    payType: str
    payImg: str
    createTime: datetime
    shippingType: int
    goods: Sequence[OrderGoodsOut]


class OrderShop(AnswerModel):
    """Where and when (`dd/MM/yyyy HH:mm`) an order is picked up, as it was when it was made."""

    shopId: int
    shopName: str
    shopNameEn: str
    address: str
    terminalDateTime: str


class OrderParcel(AnswerModel):
    """One parcel: its weight in grams, its price in dollars, why it costs that; empty for older orders."""

    storage: str
    weight: int
    freight: Price
    reason: str = ""
    reasonEn: str = ""


class StatusChangeOut(AnswerModel):
    """One move of an order's status; `reason` is a key."""

    orderStatus: int
    statusLabel: str
    reason: str
    createTime: datetime


class OrderFacts(OrderOut):
    """What the order itself knows beyond the list.

    `gst` is the tax in its products, `freightGst` that in its freight. `points` pay `pointsAmount` of it, and
    it has earned `integral`, or will earn `integralPending`. `idCard` shows the last digits only,
    and is empty where none is kept.
    """

    address: AddressCopy | None
    shop: OrderShop | None
    parcels: Sequence[OrderParcel]
    remark: str
    soldOutWish: str
    pickupCode: str
    pickupQr: str
    deliverySlot: str | None
    deliveryUntil: str | None
    leaveAtDoor: bool
    idCard: str
    gst: Price
    freightGst: Price
    discount: Price
    voucherCode: str
    exchangeRate: float
    invoiceUrl: str | None
    points: int
    pointsAmount: Price
    integral: int
    integralPending: int
    history: Sequence[StatusChangeOut]


class LevelOut(AnswerModel):
    """A member level: AUD in a year that give it, null where staff alone do; points for each dollar."""

    level: int
    levelName: str
    levelNameEn: str
    yearlySpend: Price | None
    pointsRate: Price


class RewardsOut(AnswerModel):
    """What a customer has of points, and their level; `spent` and `missing` in AUD."""

    integral: int
    integralPending: int
    pointsPerDollar: int
    level: LevelOut
    hasMemberPrices: bool
    isFixed: bool
    spent: Price
    nextLevel: LevelOut | None
    missing: Price
