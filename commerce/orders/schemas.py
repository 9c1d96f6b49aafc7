"""Wire schemas of orders (docs/wire.md#orders)."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from catalog.goods.schemas import MAX_PRODUCTS, GoodsLine
from commerce.accounts.schemas import AddressCopy
from commerce.delivery.freight import Region
from commerce.delivery.schemas import FreeFromOut, ParcelOut
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
    """The products of an order; products of a promotion are separate."""

    orderGoods: Annotated[list[GoodsLine], Field(max_length=MAX_PRODUCTS)] | None = None
    actionGoods: Annotated[list[ActionLine], Field(max_length=MAX_PRODUCTS)] | None = None
    voucherCode: VoucherCode = None

    def voucher_code(self) -> str:
        """Return the voucher's code in stored form, empty for none."""
        return stored_code(self.voucherCode or "")

    def basket(self) -> Basket | None:
        """Return the basket, None for no products; raises ShopError(one_activity_only)."""
        ordinary, promoted = self.orderGoods or [], self.actionGoods or []
        if not ordinary and not promoted:
            return None
        return Basket.of(
            [(line.goodsId, line.goodsAmount) for line in ordinary],
            [(line.actionTypeId, line.goodsId, line.goodsAmount) for line in promoted],
        )


class PreviewIn(GoodsIn):
    """A future order; `address`, if known, has the format of the freight call."""

    shippingType: OptionalText = None
    address: OptionalText = None
    points: Points = None

    def shipping_type(self) -> ShippingType | None:
        """Return the way of delivery, None if not chosen; raises ShopError(choose_delivery) if unknown."""
        return read_shipping_type(self.shippingType) if self.shippingType else None

    def region(self) -> Region | None:
        """Return the destination, None if not known yet; raises as `Region.from_wire` does."""
        address = (self.address or "").strip()
        return Region.from_wire(address) if address else None


class OrderIn(GoodsIn):
    """An order request; prices that a client sends are ignored."""

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
        """Return the customer's remark and wish; `language`: of the request."""
        return Wishes(self.remark or "", self.soldOutWish or "", language)

    def fulfilment(self) -> Fulfilment:
        """Return the delivery or pick-up.

        Raises ShopError(choose_delivery, choose_consignee), and ShopError(parameter_error) for a pick-up
        without a shop or a time.
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
    """Refuse values that are not texts, since a number would be parsed as seconds since 1970."""
    if value is not None and not isinstance(value, str):
        raise ValueError("not a day")
    return value or None


# The limits for the days of a period.
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2100, 12, 31)
Day = Annotated[Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY)] | None, BeforeValidator(_day)]


class OrdersQuery(PageQuery):
    """A filter for the customer's orders; `from` and `to` are the first and last day of creation."""

    status: Annotated[
        Literal["unpaid", "paid", "unreceived", "claimable", "completed", "canceled"] | None,
        BeforeValidator(blank_as_none),
    ] = None
    word: Annotated[WireText, Field(max_length=100)] | None = None
    from_day: Annotated[Day, Field(alias="from")] = None
    to_day: Annotated[Day, Field(alias="to")] = None

    def period(self) -> Period:
        """Return the period of creation; raises ShopError(parameter_error) if it ends before it begins."""
        if self.from_day and self.to_day and self.to_day < self.from_day:
            raise ShopError(Err.parameter_error, fields={"to": Err.parameter_error.name})
        return Period(self.from_day, self.to_day)


class OrderCountsOut(AnswerModel):
    """The numbers of a customer's orders by status; each is a filter of the list of orders."""

    unpaid: int
    paid: int
    unreceived: int
    claimable: int


class TradeOut(AnswerModel):
    """The code of one future order."""

    transactionCode: str


class PlacedOut(AnswerModel):
    """The amounts of a new order, in dollars, and the time when it expires unless it is paid."""

    orderNo: str
    orderAmount: Price
    freight: Price
    payAmount: Price
    expireTime: datetime | None


class PreviewGoodsOut(AnswerModel):
    """A line of a future order, in dollars; `lineAmount` is after the discount and includes `gst`."""

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


class GiftLeftOut(AnswerModel):
    """A gift that cannot be sent to the destination."""

    goodsId: int
    goodsName: str
    goodsEnglishName: str


class WithoutVoucherOut(AnswerModel):
    """The amounts of the same order without its voucher, in dollars."""

    orderAmount: Price
    freight: Price
    payAmount: Price


class PreviewOut(AnswerModel):
    """The lines and amounts of a future order, in dollars; `freight` is null if the destination is unknown.

    `gst` is the tax in the part of `orderAmount` that is paid in money; `freightGst` is the tax in `freight`.
    `pointsUsable` is the maximum number of points that can pay for the order.
    """

    goods: Sequence[PreviewGoodsOut]
    giftsLeftOut: Sequence[GiftLeftOut]
    orderAmount: Price
    discount: Price
    freight: Price | None
    parcels: Sequence[ParcelOut]
    freeFrom: Sequence[FreeFromOut]
    missingForFree: Price | None
    gst: Price
    freightGst: Price
    points: int
    pointsAmount: Price
    pointsUsable: int
    payAmount: Price
    withoutVoucher: WithoutVoucherOut | None


class OrderGoodsOut(AnswerModel):
    """One line of an order, in dollars; `price` is for one unit, `lineAmount` for all units.

    `lineAmount` is after `discount`; `why` is the rule behind price and discount. `refundedUnits` and
    `refundedAmount` have been refunded.
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
    """An order in a list."""

    orderStatus: int
    statusLabel: str
    payType: str
    payImg: str
    createTime: datetime
    shippingType: int
    goods: Sequence[OrderGoodsOut]


class OrderShop(AnswerModel):
    """The shop and time (`dd/MM/yyyy HH:mm`) of a pick-up, as they were when the order was made."""

    shopId: int
    shopName: str
    shopNameEn: str
    address: str
    terminalDateTime: str


class OrderParcel(AnswerModel):
    """One parcel: weight in grams, price in dollars, and the price's reason, empty for older orders.

    `daysFrom`, `daysTo`: working days from payment to delivery, as they were shown; null if none were.
    """

    storage: str
    weight: int
    freight: Price
    reason: str = ""
    reasonEn: str = ""
    daysFrom: int | None = None
    daysTo: int | None = None


class StatusChangeOut(AnswerModel):
    """One change of an order's status; `reason` is a key."""

    orderStatus: int
    statusLabel: str
    reason: str
    createTime: datetime


class OrderFacts(OrderOut):
    """The fields of an order that lists do not have.

    `gst` is the tax in the products, `freightGst` the tax in the freight. `points` are spent on the order and
    pay `pointsAmount`. `integral` are the earned points, `integralPending` the points that it will earn.
    `idCard` shows only the last digits; it is empty if none is stored.
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
    """A member level; `yearlySpend` is the minimum in AUD, null if only staff give the level."""

    level: int
    levelName: str
    levelNameEn: str
    yearlySpend: Price | None
    pointsRate: Price


class RewardsOut(AnswerModel):
    """A customer's points and level; `spent` and `missing` are in AUD."""

    integral: int
    integralPending: int
    pointsPerDollar: int
    level: LevelOut
    hasMemberPrices: bool
    isFixed: bool
    spent: Price
    nextLevel: LevelOut | None
    missing: Price
