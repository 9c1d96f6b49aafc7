"""Orders in full on the wire, with what was given back of them (docs/wire.md#orderdetailed)."""

from collections.abc import Sequence
from datetime import datetime

from commerce.payments.schemas import OrderWithPayments
from core.wire import AnswerModel, Price


class RefundOut(AnswerModel):
    """Money of an order that goes back; `status` is due, sending, done or failed, `to` is source or wallet.

    `number`, `note`: of the refund that staff have made, and why; both empty where the shop gives back what
    no order could take. `creditNoteUrl`: null until the credit note is made, and where there is none.
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
    """Everything about one order."""

    refunds: Sequence[RefundOut]
