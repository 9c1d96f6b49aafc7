"""Orders in full on the wire, with their refunds (docs/wire.md#orderdetailed)."""

from collections.abc import Sequence
from datetime import datetime

from commerce.payments.schemas import OrderWithPayments
from core.wire import AnswerModel, Price


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


class OrderDetail(OrderWithPayments):
    """An order in full, with its payments and refunds."""

    refunds: Sequence[RefundOut]
