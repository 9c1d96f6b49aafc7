"""Orders on the wire (CONTRACT 4)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from catalog.goods.schemas import MOST_GOODS, GoodsLine
from commerce.accounts.schemas import AddressCopy
from core.wire import PageQuery, Price, WireId, WireModel, WireText, blank_as_none

OptionalId = Annotated[WireId | None, BeforeValidator(blank_as_none)]
OptionalText = WireText | None


class ActionLine(GoodsLine):
    """A good bought at the price of a promotion."""

    actionTypeId: WireId


class GoodsIn(WireModel):
    """The goods of an order; those of a promotion stand apart."""

    orderGoods: Annotated[list[GoodsLine], Field(max_length=MOST_GOODS)] | None = None
    actionGoods: Annotated[list[ActionLine], Field(max_length=MOST_GOODS)] | None = None

    @property
    def has_goods(self) -> bool:
        """Whether any goods are named."""
        return bool(self.orderGoods or self.actionGoods)


class OrderIn(GoodsIn):
    """An order as it is sent; prices in it are never read."""

    transactionCode: WireText
    shippingType: OptionalText = None
    deliveryAddressId: OptionalId = None
    shopId: OptionalId = None
    terminalDateTime: OptionalText = None
    remark: Annotated[WireText, Field(max_length=500)] | None = None


class OrdersQuery(PageQuery):
    """Which of one's orders to list."""

    status: Annotated[
        Literal["unpaid", "paid", "unreceived", "completed", "canceled"] | None,
        BeforeValidator(blank_as_none),
    ] = None


class TradeOut(WireModel):
    """The key of one order to come."""

    transactionCode: str


class PlacedOut(WireModel):
    """What a new order costs, in dollars, and until when it waits for its payment."""

    orderNo: str
    orderAmount: Price
    freight: Price
    payAmount: Price
    expireTime: datetime | None


class OrderGoodsOut(WireModel):
    """One good of an order as it was bought; `price` in dollars for one."""

    goodsId: int
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    goodsAmount: int
    price: Price
    actionTypeId: int | None


class OrderOut(PlacedOut):
    """An order of the list."""

    orderStatus: int
    statusLabel: str
    payType: str
    payImg: str
    createTime: datetime
    shippingType: int
    goods: Sequence[OrderGoodsOut]


class OrderShop(WireModel):
    """Where and when (`dd/MM/yyyy HH:mm`) an order is picked up, as it was when it was made."""

    shopId: int
    shopName: str
    shopNameEn: str
    address: str
    terminalDateTime: str


class OrderParcel(WireModel):
    """One parcel: its weight in grams, its price in dollars."""

    storage: str
    weight: int
    freight: Price


class StatusChangeOut(WireModel):
    """One move of an order's status; `reason` is a key."""

    orderStatus: int
    statusLabel: str
    reason: str
    createTime: datetime


class OrderFacts(OrderOut):
    """What the order itself knows beyond the list; `gst` is the part of the goods' price that is tax."""

    address: AddressCopy | None
    shop: OrderShop | None
    parcels: Sequence[OrderParcel]
    remark: str
    gst: Price
    exchangeRate: float
    invoiceUrl: str | None
    integral: int
    history: Sequence[StatusChangeOut]
