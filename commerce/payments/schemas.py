"""Payments on the wire (docs/wire.md#orderpay)."""

from collections.abc import Sequence
from datetime import datetime

from commerce.orders.schemas import OrderFacts
from commerce.shipments.schemas import ShipmentOut
from core.wire import AnswerModel, Price, WireModel, WireMoney, WireText


class PayTypeOut(AnswerModel):
    """A way to pay that is switched on."""

    payName: str
    payCode: str
    payType: str
    img: str


class PayIn(WireModel):
    """Which order to pay and how; the pay password goes with pay type 0, and with `walletAmount`.

    `walletAmount`: dollars that the wallet pays before the pay type pays the rest.
    """

    orderNo: WireText
    payType: WireText
    password: WireText | None = None
    walletAmount: WireMoney | None = None


class UploadOut(AnswerModel):
    """Where the picture can be seen, for a day; what savePayCertificates takes."""

    imgUrl: str


class CertificateIn(WireModel):
    """The picture that proves an order's transfer, as its upload has answered."""

    imgUrl: WireText
    orderNo: WireText


class JumpOut(AnswerModel):
    """Where to go to pay; null where there is nowhere to go."""

    jumpUrl: str | None


class PayResultOut(AnswerModel):
    """Whether the money of an order or a top-up was received.

    `status`: the order's code; of a top-up 2 once it is paid, else 1. `orderNo`, `payAmount`: of a top-up its
    number and amount. `leftToPay`: null once it is paid or has ended.
    `failed`: whether there were payments and all of them failed, such as one that was declined.
    """

    paid: bool
    failed: bool
    status: int
    orderNo: str
    payAmount: Price
    leftToPay: Price | None


class PaymentOut(AnswerModel):
    """One payment; `status` is pending, paid or failed. Of a paid one, `amount` is what was received."""

    payType: str
    amount: Price
    currency: str
    status: str
    createTime: datetime


class OrderWithPayments(OrderFacts):
    """An order with its payments and parcels; `leftToPay` is null once it is paid or has ended."""

    leftToPay: Price | None
    payments: Sequence[PaymentOut]
    shipments: Sequence[ShipmentOut]
