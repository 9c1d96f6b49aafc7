"""Orders in full on the wire, with their refunds (docs/wire.md#orderdetailed)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import Field

from commerce.payments.schemas import OrderWithPayments
from commerce.refunds.models import MAX_TEXT
from core.wire import AnswerModel, Price, WireModel, WireText


class RefundOut(AnswerModel):
    """Refunded money of an order; `status` is due, sending, done or failed, `to` is source or wallet.

    `number`, `note`: number and reason of the order refund by staff; both are empty for money that the
    shop returns automatically. `creditNoteUrl`: null while there is no credit note.
    """

    amount: Price
    currency: str
    reason: str
    to: str
    status: str
    createTime: datetime
    number: str
    note: str
    creditNoteUrl: str | None


class CancellationIn(WireModel):
    """Why a customer wants to cancel a paid order; may be empty."""

    reason: Annotated[WireText, Field(max_length=MAX_TEXT)] = ""


class CancellationOut(AnswerModel):
    """A request to cancel a paid order; `status` is waiting, confirmed or declined.

    `answer`: why staff declined it, empty otherwise.
    """

    status: str
    reason: str
    answer: str
    createTime: datetime


class OrderDetail(OrderWithPayments):
    """An order in full, with its payments, its refunds and the request to cancel it.

    `mayRequestCancel`: True if it is paid, not packed, and without a request.
    """

    refunds: Sequence[RefundOut]
    mayRequestCancel: bool
    cancellation: CancellationOut | None
