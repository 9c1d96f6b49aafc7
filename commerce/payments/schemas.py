"""Payments on the wire (docs/wire.md#orderpay)."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from commerce.delivery.schemas import ArrivalOut
from commerce.delivery.shipping import read_shipping_type
from commerce.ledger.schemas import BalanceEntry
from commerce.orders.schemas import OrderFacts, OrderShop
from commerce.payments.restrictions import Purchase
from commerce.shipments.schemas import ShipmentOut
from core import clock
from core.countries import country_codes
from core.errors import Err, ShopError
from core.wire import AnswerModel, PageQuery, Price, WireModel, WireMoney, WireText, blank_as_none

OptionalAmount = Annotated[
    Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=2)] | None, BeforeValidator(blank_as_none)
]


class PayTypesQuery(WireModel):
    """What is to be paid: the customer's order, or an amount, a country and a delivery method.

    `country`: two letters or the English name. `amount`: the part of an order that the pay type pays; by
    default all that is left. `slot`: when the pick-up hour or delivery window begins, empty for none. Omitted
    fields restrict nothing.
    """

    orderNo: WireText = ""
    amount: OptionalAmount = None
    country: WireText = ""
    shippingType: WireText = ""
    slot: WireText | None = None

    def purchase(self) -> Purchase:
        """Return the purchase without an order; raises ShopError(choose_delivery, parameter_error)."""
        country = country_codes().get(self.country, self.country.upper()) or None
        shipping_type = read_shipping_type(self.shippingType) if self.shippingType else None
        return Purchase(self.amount, country, shipping_type, self._starts_at(), self.slot == "")

    def _starts_at(self) -> datetime | None:
        try:
            return clock.from_wire(self.slot) if self.slot else None
        except ValueError:
            raise ShopError(Err.parameter_error, fields={"slot": Err.parameter_error.name}) from None


class PayTypeOut(AnswerModel):
    """A pay type that is switched on; `payName`, `payHint` and `payWarning` are Chinese."""

    payName: str
    payNameEn: str
    payHint: str
    payHintEn: str
    payWarning: str
    payWarningEn: str
    payCode: str
    payType: str
    img: str


class PayIn(WireModel):
    """The order to pay and its pay type; the pay password is required for pay type 0 and `walletAmount`.

    `walletAmount`: dollars that the wallet pays before the pay type pays the rest.
    """

    orderNo: WireText
    payType: WireText
    password: WireText | None = None
    walletAmount: WireMoney | None = None


class UploadOut(AnswerModel):
    """The URL that shows the picture for a day; savePayCertificates accepts it."""

    imgUrl: str


class CertificateIn(WireModel):
    """The picture that proves an order's transfer, as returned by its upload."""

    imgUrl: WireText
    orderNo: WireText


class JumpOut(AnswerModel):
    """The URL at which to pay; null if there is none."""

    jumpUrl: str | None


class PayResultOut(AnswerModel):
    """Whether the money of an order or a top-up has been received.

    `status`: the order's code; of a top-up 2 once it is paid, else 1. `orderNo`, `payAmount`: of a top-up its
    number and amount. `leftToPay`: null once it is paid or has ended. `walletHeld`: what the wallet has paid
    of an order that awaits the rest. `failed`: whether there are payments and all of them failed, for example
    declined. `arrival`: when the order comes, as far as it is known; null for a top-up.
    """

    paid: bool
    failed: bool
    status: int
    orderNo: str
    payAmount: Price
    leftToPay: Price | None
    walletHeld: Price
    payType: str
    arrival: ArrivalOut | None
    isRecharge: bool


class BankOut(AnswerModel):
    """The shop's bank account; fields that staff have not set are empty."""

    bank: str
    holder: str
    bsb: str
    number: str
    swift: str


class InstructionsOut(AnswerModel):
    """How to pay staff for an order; fields that staff have not set are empty or null.

    `shop`, or `deliverySlot` to `deliveryUntil` (`dd/MM/yyyy HH:mm`): where or when the order is handed over.
    `img` is one of the two in-store images for cash, else empty. `isProven`: whether a picture already proves
    the transfer.
    """

    orderNo: str
    payType: str
    payName: str
    payNameEn: str
    amount: Price
    heldUntil: datetime | None
    isPickup: bool
    shop: OrderShop | None
    deliverySlot: str | None
    deliveryUntil: str | None
    isProven: bool
    img: str
    phone: str
    email: str
    wechat: str
    wechatQr: str | None
    bank: BankOut | None


class PaymentOut(AnswerModel):
    """One payment; `status` is pending, paid or failed. `amount` of a paid payment is what was received."""

    payType: str
    payName: str
    payNameEn: str
    amount: Price
    currency: str
    status: str
    createTime: datetime


class TransferOut(AnswerModel):
    """The review of the picture that proves an order's transfer; `status`: waiting, approved or rejected.

    `imgUrl`: shows it for a day, null once it was deleted. `reason`: why it was rejected, a value of
    `Certificate.Reason`, and `reasonText` the comment of staff; both are empty for any other status.
    `amount`: what was received, null unless it is approved.
    """

    imgUrl: str | None
    status: str
    reason: str
    reasonText: str
    amount: Price | None
    createTime: datetime


class OrderWithPayments(OrderFacts):
    """An order with its payments and parcels; `leftToPay` is null once it is paid or has ended.

    `walletHeld`: what the wallet has paid of it while it awaits the rest.
    """

    leftToPay: Price | None
    walletHeld: Price
    payments: Sequence[PaymentOut]
    transfer: TransferOut | None
    shipments: Sequence[ShipmentOut]


# The accepted values of a top-up's payType, in lower case: the code of a pay type, or a provider.
_ROYALPAY = "royalpay"
_CODES = {"5": "5", "2": "2", "4": "4", "paypal": "Paypal"}
# RoyalPay's pay types by channel.
_CHANNELS = {"": "5", "card": "5", "wechat": "2", "ali": "4"}


class RechargeIn(WireModel):
    """The amount to top up, in dollars, and how it is paid (docs/wire.md#recharge)."""

    rechargeAmount: WireMoney
    payType: WireText = ""
    channel: WireText = ""
    source: Annotated[WireText, Field(max_length=16)] = "web"

    def pay_type(self) -> str:
        """Return the code of the pay type, given in any accepted form; raises ShopError(parameter_error)."""
        named = self.payType.casefold() or _ROYALPAY
        if named in _CODES:
            return _CODES[named]
        if named != _ROYALPAY:
            raise ShopError(Err.parameter_error, fields={"payType": Err.parameter_error.name})
        code = _CHANNELS.get(self.channel.casefold())
        if code is None:
            raise ShopError(Err.parameter_error, fields={"channel": Err.parameter_error.name})
        return code


class StartedRechargeOut(AnswerModel):
    """A top-up, and the URL at which to pay it; null if there is nothing more to pay."""

    rechargeNo: str
    jumpUrl: str | None


RechargeStatus = Literal["unpaid", "paid", "failed"]


class RechargesQuery(PageQuery):
    """The top-ups to list: all, or those of one status."""

    status: Annotated[RechargeStatus | None, BeforeValidator(blank_as_none)] = None


class RechargeOut(AnswerModel):
    """One top-up with its pay type."""

    rechargeNo: str
    amount: Price
    payType: str
    payName: str
    payNameEn: str
    status: RechargeStatus
    createTime: datetime


class BalanceEntryOut(BalanceEntry):
    """One entry of the wallet, and the order or top-up that it belongs to; null if there is none."""

    orderNo: str | None
    rechargeNo: str | None
